package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks plain text into lines of at most w cells, at most limit lines
// (≤ 0: all); a cut last line ends in …. It breaks between words: a word is broken
// only where it is wider than a line.
func Wrap(s string, w, limit int) []string {
	if w <= 0 {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, wrapLine(line, w)...)
	}
	if limit > 0 && len(lines) > limit {
		lines = lines[:limit]
		lines[limit-1] = Cut(lines[limit-1]+" …", w)
	}
	return lines
}

func wrapLine(rest string, w int) (lines []string) {
	line, used := "", 0
	for rest != "" {
		word := strings.TrimLeft(rest, " ")
		gap := len(rest) - len(word)
		end := strings.IndexByte(word, ' ')
		if end < 0 {
			end = len(word)
		}
		word, rest = word[:end], word[end:]
		n := Width(word)
		if used > 0 && used+gap+n > w { // or it is the first, with its indentation
			lines, line, used, gap = append(lines, strings.TrimRight(line, " ")), "", 0, 0
		}
		for gap+n > w {
			if gap >= w {
				gap = 0
				continue
			}
			head := breakWord(word, w-gap)
			lines = append(lines, strings.Repeat(" ", gap)+head)
			word, gap = word[len(head):], 0
			n = Width(word)
		}
		line, used = line+strings.Repeat(" ", gap)+word, used+gap+n
	}
	return append(lines, strings.TrimRight(line, " "))
}

// breakWord is the beginning of a word of at most w cells: up to the last sign in its
// second half after which a path or an expression can go on, else up to the last cell.
func breakWord(word string, w int) string {
	head := ansi.Truncate(word, w, "")
	if head == "" { // a character is wider than the line
		_, n := utf8.DecodeRuneInString(word)
		return word[:n]
	}
	if i := strings.LastIndexAny(head, "/.,;:(){}[]=&-"); i+1 > len(head)/2 {
		return head[:i+1]
	}
	return head
}
