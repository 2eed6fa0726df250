package output

import (
	"strings"
	"testing"
	"unicode"
)

// FuzzScreen holds that whatever a program prints and however its terminal changes, what it
// printed and its screen can be read and are bounded, and that the screen holds styles only.
func FuzzScreen(f *testing.F) {
	f.Add([]byte("plain\r\n\x1b[31mred\x1b[0m\ttab\n"), uint8(80), uint8(24), uint16(5))
	f.Add([]byte("\x1b[?1049h\x1b[2J\x1b[10;10Hbox\x1b[?1049l\rlast"), uint8(20), uint8(5), uint16(12))
	f.Add([]byte("\x1b]0;title\x07\x1b[999999999;9999H\x1b[1000000P\xff\xfe\x1b[6n\x1bP+q544e\x1b\\"), uint8(1), uint8(1), uint16(3))
	f.Add([]byte("日本\b \b\tx\x1b[K\b\b\b\xff\b\n\b"), uint8(80), uint8(24), uint16(7))
	f.Fuzz(func(t *testing.T, printed []byte, cols, rows uint8, cut uint16) {
		const kept = 4 << 10
		b := New(kept, nil)
		b.Emulate(int(cols), int(rows), func(string) {})
		at := min(int(cut), len(printed))
		for _, piece := range [][]byte{printed[:at], printed[at:]} {
			if n, err := b.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("%d of %d bytes: %v", n, len(piece), err)
			}
			s, draws := b.Screen()
			if draws && (len(s.Lines) > 1000 || s.Cols > 1000) {
				t.Fatalf("a screen of %d × %d", s.Cols, len(s.Lines))
			}
			for _, line := range s.Lines {
				if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\x1b' }) { // which begins styles
					t.Fatalf("a line of the screen is %q", line)
				}
			}
			b.Resize(int(rows), int(cols))
		}
		b.End()
		_ = b.View(-1, 100)
		if tail := b.Tail(kept); len(tail) > 2*kept {
			t.Fatalf("a tail of %d bytes", len(tail))
		}
	})
}
