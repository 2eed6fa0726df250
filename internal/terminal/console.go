package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// Output is what to write to a terminal with: f itself, but on a console of Linux, whose
// font often lacks characters, something that writes another one of the same width for each
// that it lacks.
func Output(f *os.File) io.Writer {
	if os.Getenv("TERM") != "linux" {
		return f
	}
	if lacks := lacking(f); lacks != nil {
		return newConsole(f, lacks)
	}
	return f
}

func newConsole(f *os.File, lacks func(rune) bool) *console {
	var pairs []string
	for _, s := range standIns {
		from, _ := utf8.DecodeRuneInString(s)
		if !lacks(from) {
			continue
		}
		for _, to := range s[utf8.RuneLen(from):] {
			if to < utf8.RuneSelf || !lacks(to) {
				pairs = append(pairs, string(from), string(to))
				break
			}
		}
	}
	return &console{file: f, replace: strings.NewReplacer(pairs...)}
}

// standIns are characters of the screen, each with those that can stand for it, the best
// first: the last is ASCII.
var standIns = []string{
	"╭┌+", "╮┐+", "╰└+", "╯┘+", "─-", "━═─-", "│|", "┃║█|", "└+", "┄·-", "▏│|",
	"▸►>", "▾▼v", "◂◄<", "▶►>", "▷►>", "›>", "‹<", "→>", "←<", "↑^", "↓v", "↔-", "↗^", "⇧^",
	"…»>", "⋯·.", "·.", "–-", "—-", "−-", "×x", "•*", "⏎◄<", "␍◄<",
	"✓√y", "✗x", "⚠!", "★*", "◆♦*", "●•*", "◌○o", "○o", "◎○o", "◐○o", "◉•*", "◷○o", "■#", "⊘○o", "☐○o", "☑■#", "↺↔r", "↻↔r",
	"█#", "▒░#", "▌█|", "▁_", "▂▄_", "▃▄_", "▄_", "▅▄_", "▆█#", "▇█#", "Δd", "\uFFFD?",
}

// console replaces characters. To Bubble Tea it is the file that it writes to.
type console struct {
	file    *os.File
	replace *strings.Replacer
	part    []byte // of a character whose rest is still to be written
}

// Write writes p; a character that is cut off at its end is written with its rest.
func (c *console) Write(p []byte) (int, error) {
	all := append(c.part, p...)
	whole := len(all)
	for i := max(len(all)-utf8.UTFMax+1, 0); i < len(all); i++ {
		if utf8.RuneStart(all[i]) && !utf8.FullRune(all[i:]) {
			whole = i
			break
		}
	}
	c.part = append([]byte(nil), all[whole:]...)
	if _, err := c.replace.WriteString(c.file, string(all[:whole])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString writes s.
func (c *console) WriteString(s string) (int, error) { return c.Write([]byte(s)) }

// Read reads what is typed.
func (c *console) Read(p []byte) (int, error) { return c.file.Read(p) }

// Close closes the file.
func (c *console) Close() error { return c.file.Close() }

// Fd is the file's descriptor.
func (c *console) Fd() uintptr { return c.file.Fd() }
