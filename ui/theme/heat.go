package theme

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
)

// heatSteps are few, so that a difference that can be seen says something.
const heatSteps = 7

// Heat is the style of a share, from bad (0) over middling to good (1). It tints
// the background where the terminal can; the figure itself is always written.
func (t Theme) Heat(good float64) Style {
	if math.IsNaN(good) {
		return t.Dim
	}
	step := min(int(max(good, 0)*heatSteps), heatSteps-1)
	if !t.Tints {
		return []Style{t.Stop, t.Stop, t.Warn, t.Warn, t.Warn, t.Good, t.Good}[step]
	}
	c := t.Colors
	at := 2 * float64(step) / (heatSteps - 1)
	mix := blend(c.Stop, c.Warn, at)
	if at > 1 {
		mix = blend(c.Warn, c.Good, at-1)
	}
	return Style{open: ansi.Style{}.BackgroundColor(mix).ForegroundColor(c.OnChip).String()}
}

// blend is a color between two.
func blend(a, b color.Color, part float64) color.Color {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	one := func(x, y uint32) uint8 { return uint8((float64(x)*(1-part) + float64(y)*part) / 257) }
	return color.RGBA{one(r1, r2), one(g1, g2), one(b1, b2), 255}
}
