package output

import (
	"strings"
	"testing"
)

func TestWhatIsErasedIsGone(t *testing.T) {
	for printed, want := range map[string]string{
		"name? hello\b \b\b \by":             "name? hely",
		"name? hello\b \b\b \b":              "name? hel",
		"name? a\b \b":                       "name? ",
		"\b\b\bx":                            "x",
		"|\b/\b-\b\\":                        "\\",
		" 9%\b\b\b10%":                       "10%",
		"hello\b\b":                          "hello",
		"hello\b\b\x1b[K":                    "hel",
		"hello\b\b\x1b[0K":                   "hel",
		"\x1b[32m|\x1b[0m\b\x1b[32m/\x1b[0m": "/",
		"ünï\b \bo":                          "üno",
		"日本\b\b  \b\bx":                      "日x",
		"日本\b \bx":                           "日 x", // the kernel erases one cell: so does a terminal
		"日本\b\b\bx":                          " x本",
		"a日b\b\b\bxy":                        "axyb",
		"ab日\b\b\b\b語":                       "語日",
		"e\u0301x\b\b \b\bo":                 "ox",
		"a\tb\b \b":                          "a       ",
		"abc\b\b\b\td":                       "abc     d",
		"old text\rnew\b \b":                 "ne",
		"\xff\xfe\b\b\b\x1b[999999999C\x1b]0;t\ax": "x\xfe",
		"日本\b\x1b[Kx":                              "日 x",
		strings.Repeat("\b", 5000) + "x":           "x",
	} {
		b := New(0, nil)
		_, _ = b.Write([]byte(printed))
		open := b.View(-1, 1).Rows[0]
		_, _ = b.Write([]byte("\nnext"))
		if whole := b.View(0, 1).Rows[0]; open != want || whole != want {
			t.Errorf("%q is drawn as %q, and at its end as %q; want %q", printed, open, whole, want)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, line := range map[string]string{"plain": strings.Repeat("some text ", 8) + "\r\n", "erased": "name? hello, world\b \b\b \b\b \by\r\n", "spinner": strings.Repeat("|\b/\b-\b\\\b", 2000) + "\n",
		"wide": strings.Repeat("日本\b\b", 2000) + "\n"} {
		b.Run(name, func(b *testing.B) {
			text := []byte(strings.Repeat(line, max(64<<10/len(line), 1)))
			b.SetBytes(int64(len(text)))
			buffer := New(0, nil)
			for b.Loop() {
				_, _ = buffer.Write(text)
			}
		})
	}
}
