package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// The measures of the picture, in its pixels. A row is about as high as a font draws
// lines of boxes, so that they meet.
const (
	cellWidth, cellHeight = 8.4, 16.0
	fontSize              = 14
	margin                = 14.0
	captionHeight         = 34.0
	screenWidth           = columns * cellWidth
	screenHeight          = rows * cellHeight
	width                 = screenWidth + 2*margin
	height                = screenHeight + 2*margin + captionHeight
)

// The colors of a cell without any, and of the caption.
const background, foreground, captionColor = "#0d1117", "#d1d7e0", "#7ee787"

// hash names a text in the picture that was made with it.
func hash(text []byte) string { return fmt.Sprintf("scenes: sha256:%x", sha256.Sum256(text)) }

// picture is the recording as an animated SVG: a reel of frames, next to each other,
// of which a window shows one at a time. It needs no script and no font of its own. A
// person who wants no motion sees one of them.
func (r recording) picture(scenes []scene, text []byte) []byte {
	d := &drawing{rows: map[string]int{}, classes: map[string]int{}}
	var reel bytes.Buffer
	var starts []time.Duration
	var total time.Duration
	for _, s := range scenes {
		for i, f := range s.frames {
			id := ""
			if i == len(s.frames)-1 {
				id = fmt.Sprintf(` id="scene-%s"`, s.name)
				if s.name == r.still {
					d.still = len(starts)
				}
			}
			fmt.Fprintf(&reel, "<g%s transform=\"translate(%s)\">\n", id, number(float64(len(starts))*width))
			for y, cells := range f.cells {
				if row, ok := d.row(cells); ok {
					fmt.Fprintf(&reel, `<use href="#r%d" y="%s"/>`, row, number(float64(y)*cellHeight))
				}
			}
			fmt.Fprintf(&reel, "\n<text class=\"caption\" y=\"%s\">%s</text></g>\n", number(screenHeight+margin+captionHeight/2), escape(s.caption))
			starts = append(starts, total)
			total += f.lasts
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %[1]s %[2]s\" width=\"%[1]s\" height=\"%[2]s\" role=\"img\">\n<!-- made by: make recording; %[3]s -->\n",
		number(width), number(height), hash(text))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(r.title))
	d.style(&b, starts, total)
	fmt.Fprintf(&b, "<defs>\n%s</defs>\n", d.defs.String())
	fmt.Fprintf(&b, "<rect class=\"window\" width=\"%s\" height=\"%s\" rx=\"8\"/>\n", number(width), number(height))
	fmt.Fprintf(&b, "<path d=\"M0 %[1]sH%[2]s\" stroke=\"#30363d\"/>\n", number(screenHeight+1.6*margin), number(width))
	fmt.Fprintf(&b, "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><g class=\"reel\">\n%s</g></svg>\n</svg>\n",
		number(margin), number(margin), number(screenWidth), number(height-margin), reel.String())
	return b.Bytes()
}

// drawing has what frames have in common: rows of cells, and classes of text.
type drawing struct {
	rows, classes map[string]int
	defs          bytes.Buffer
	rules         []string
	still         int // a frame
}

// style writes the classes and the animation, which jumps from frame to frame.
func (d *drawing) style(b *bytes.Buffer, starts []time.Duration, total time.Duration) {
	fmt.Fprintf(b, "<style>\n.window{fill:%s}\ntext{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:%s;white-space:pre}\n.caption{fill:%s}\n",
		background, fontSize, foreground, captionColor)
	for i, rule := range d.rules {
		fmt.Fprintf(b, ".c%d{%s}\n", i, rule)
	}
	b.WriteString("@keyframes reel{\n")
	for i, at := range starts {
		fmt.Fprintf(b, "%s%%{transform:translateX(%spx)}\n", number(100*at.Seconds()/total.Seconds()), number(-float64(i)*width))
	}
	fmt.Fprintf(b, "100%%{transform:translateX(%spx)}}\n", number(-float64(len(starts)-1)*width))
	fmt.Fprintf(b, ".reel{animation:reel %ss step-end infinite}\n", number(total.Seconds()))
	fmt.Fprintf(b, "@media (prefers-reduced-motion:reduce){.reel{animation:none;transform:translateX(%spx)}}\n</style>\n", number(-float64(d.still)*width))
}

// class is the name of the class of text of a style.
func (d *drawing) class(rule string) string {
	i, ok := d.classes[rule]
	if !ok {
		i = len(d.rules)
		d.classes[rule] = i
		d.rules = append(d.rules, rule)
	}
	return fmt.Sprintf("c%d", i)
}

// number is a measure without needless digits.
func number(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", f), "0"), ".")
}

func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
