package theme

import (
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b := linear(c)
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func linear(c color.Color) (r, g, b float64) {
	x, y, z, _ := c.RGBA()
	one := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return one(x), one(y), one(z)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// variants are all themes for both backgrounds, in true color and in 256.
func variants(t *testing.T, palettes []Palette, each func(t *testing.T, p Palette, c Colors)) {
	for _, p := range palettes {
		for _, dark := range []bool{true, false} {
			for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
				name := p.Name + map[bool]string{true: "/dark/", false: "/light/"}[dark] + profile.String()
				t.Run(name, func(t *testing.T) {
					c := Make(Choice{Name: p.Name, Dark: dark, Profile: profile}).Colors
					if profile == colorprofile.ANSI256 { // as the renderer writes them
						for _, n := range c.named() {
							*n.color = profile.Convert(*n.color)
						}
					}
					each(t, p, c)
				})
			}
		}
	}
}

// TestTextCanBeRead holds WCAG's ratios: 4.5 for text, 7 where high contrast is
// promised. Borders, line numbers and what is switched off are exempt, but can
// be seen.
func TestTextCanBeRead(t *testing.T) {
	variants(t, Palettes(), func(t *testing.T, p Palette, c Colors) {
		want, onRow, strong, seen := 4.5, 3.0, 4.5, 2.2
		if strings.HasSuffix(t.Name(), colorprofile.ANSI256.String()) {
			strong = 3.3 // there are no darker greens
		}
		if p.Name == "high-contrast" {
			want, onRow, strong, seen = 7, 4.5, 4.5, 4.5
		}
		words := map[string]color.Color{"text": c.Text, "dim": c.Dim, "accent": c.Accent, "stop": c.Stop, "good": c.Good, "warn": c.Warn,
			"value": c.Value, "keyword": c.Keyword, "string": c.String, "number": c.Number, "comment": c.Comment, "type": c.Type,
			"function": c.Func, "builtin": c.Builtin, "operator": c.Operator}
		rows := map[string]color.Color{"cursor": c.Cursor, "stop_line": c.StopLine, "current_line": c.CurrentLine, "add": c.Add, "del": c.Del}
		check := func(a, b string, x, y color.Color, least float64) {
			if r := contrast(x, y); r < least-0.005 {
				t.Errorf("%s on %s: contrast %.2f, want %.1f", a, b, r, least)
			}
		}
		for name, word := range words {
			check(name, "the background", word, c.Back, want)
			for row, back := range rows {
				check(name, row, word, back, onRow)
			}
		}
		for row, back := range rows {
			check("text", row, c.Text, back, want)
		}
		for row, back := range map[string]color.Color{"add_strong": c.AddStrong, "del_strong": c.DelStrong} {
			check("text", row, c.Text, back, strong)
		}
		for chip, back := range map[string]color.Color{"stop": c.Stop, "good": c.Good, "warn": c.Warn, "dim": c.Dim, "accent": c.Accent} {
			check("on_chip", chip, c.OnChip, back, want)
		}
		check("faint", "the background", c.Faint, c.Back, seen)
	})
}

// deuteranopia is how a color looks to somebody without green cones, in linear
// light (Machado, Oliveira and Fernandes 2009, severity 1).
func deuteranopia(c color.Color) [3]float64 {
	r, g, b := linear(c)
	return [3]float64{0.367322*r + 0.860646*g - 0.227968*b, 0.280085*r + 0.672501*g + 0.047413*b, -0.011820*r + 0.042940*g + 0.968881*b}
}

// lab is a color of linear light in CIE L*a*b*, where distances are about as
// large as they seem.
func lab(rgb [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	r, g, b := max(rgb[0], 0), max(rgb[1], 0), max(rgb[2], 0)
	x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.9505), f(0.2126*r+0.7152*g+0.0722*b), f((0.0193*r+0.1192*g+0.9505*b)/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// TestColorBlindThemeIsToldApart looks at the theme without green cones: good
// and bad, added and deleted differ clearly in more than lightness.
func TestColorBlindThemeIsToldApart(t *testing.T) {
	seen := func(c color.Color) [3]float64 { return lab(deuteranopia(c)) }
	palette, ok := Find("color-blind")
	if !ok {
		t.Fatal("there is no such theme")
	}
	variants(t, []Palette{palette}, func(t *testing.T, _ Palette, c Colors) {
		for name, pair := range map[string][2]color.Color{"good and stop": {c.Good, c.Stop}, "add and del": {c.Add, c.Del}, "strong add and del": {c.AddStrong, c.DelStrong}} {
			a, b := seen(pair[0]), seen(pair[1])
			if hue := math.Hypot(a[1]-b[1], a[2]-b[2]); hue < 15 {
				t.Errorf("%s differ by %.0f in hue", name, hue)
			}
		}
		for name, pair := range map[string][2]color.Color{"good and warn": {c.Good, c.Warn}, "stop and warn": {c.Stop, c.Warn}} {
			if d := distance(seen(pair[0]), seen(pair[1])); d < 15 {
				t.Errorf("%s differ by %.0f", name, d)
			}
		}
	})
	// The measure itself: the default theme's red and green are nearly one.
	c := Make(Choice{Dark: false, Profile: colorprofile.TrueColor}).Colors
	a, b := seen(c.Add), seen(c.Del)
	if hue := math.Hypot(a[1]-b[1], a[2]-b[2]); hue >= 15 {
		t.Errorf("red and green of the default theme differ by %.0f in hue", hue)
	}
}

func TestOwnColors(t *testing.T) {
	own := map[string]string{"stop": "#123456", "good": "7", "warn": "nonsense", "other": "#fff"}
	c := Make(Choice{Dark: true, Profile: colorprofile.TrueColor, Own: own}).Colors
	if !reflect.DeepEqual(c.Stop, hex("#123456")) || !reflect.DeepEqual(c.Good, hex("7")) || !reflect.DeepEqual(c.Warn, night.Warn) {
		t.Errorf("stop %v, good %v, warn %v", c.Stop, c.Good, c.Warn)
	}
	for text, ok := range map[string]bool{"#fff": true, "#A0b1C2": true, "0": true, "255": true, "256": false, "-1": false, "red": false, "#12": false, "": false} {
		if err := CheckColor(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestEveryThemeNamesEveryColor: none is left out.
func TestEveryThemeNamesEveryColor(t *testing.T) {
	variants(t, Palettes(), func(t *testing.T, _ Palette, c Colors) {
		for i := range reflect.TypeOf(c).NumField() {
			if reflect.ValueOf(c).Field(i).IsNil() {
				t.Errorf("%s is not set", reflect.TypeOf(c).Field(i).Name)
			}
		}
	})
	if got, want := len(ColorNames()), reflect.TypeFor[Colors]().NumField()-1; got != want {
		t.Errorf("%d colors have names, of %d", got, want)
	}
	if p, ok := Find("gruvbox"); !ok || p.Name != "gruvbox" {
		t.Error("gruvbox is not found")
	}
	if p, ok := Find("none"); ok || p.Name != Default {
		t.Error("an unknown theme is not the default one")
	}
}

// TestAnUnknownBackground: nothing is drawn that needs a dark background, or a light one.
func TestAnUnknownBackground(t *testing.T) {
	for _, name := range Names() {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			th := Make(Choice{Name: name, Profile: profile}.Begin(nil))
			styles := []Style{th.Text, th.Dim, th.Faint, th.Border, th.Focus, th.FocusTitle, th.Stop, th.Good, th.Warn, th.Value, th.Key,
				th.Selected, th.StopLine, th.CurrentLine, th.ChipStop, th.ChipQuiet, th.Tab, th.Found, th.FoundHere, th.Heat(0.5)}
			for _, s := range append(styles, th.Syntax[:]...) {
				for _, code := range strings.FieldsFunc(s.Render("x"), func(r rune) bool { return !strings.ContainsRune("0123456789", r) }) {
					if !slices.Contains([]string{"1", "2", "4", "7", "31", "32", "34", "35", "39"}, code) {
						t.Errorf("%s: %q has %s", name, s.Render("x"), code)
					}
				}
			}
			if th.GoodStrong != th.Good {
				t.Errorf("%s: bright green on white", name)
			}
			if d := th.Diff(); d.AddBack != nil || d.DelBack != nil || d.AddText == nil || d.DelText == nil || th.Tints {
				t.Errorf("%s: a diff is %+v", name, d)
			}
		}
	}
}
