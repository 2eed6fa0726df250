package literal

import (
	"strings"
)

// block writes a composite literal, on one line if it fits. Short elements
// may share lines.
func block(open string, items []string, rows bool) string {
	line := open + "{" + strings.Join(items, ", ") + "}"
	if len(line) <= lineWidth && !strings.Contains(line, "\n") {
		return line
	}
	var b strings.Builder
	b.WriteString(open + "{\n")
	width := 0
	for i, item := range items {
		b.WriteString(item)
		width += len(item) + 2
		switch {
		case i+1 == len(items):
			b.WriteString(",\n")
		case rows && short(item) && short(items[i+1]) && width+len(items[i+1]) < rowWidth:
			b.WriteString(", ")
		default:
			b.WriteString(",\n")
			width = 0
		}
	}
	b.WriteString("}")
	return b.String()
}

// Row writes a composite literal whose type is known from where it is.
func Row(items []string) string { return block("", items, false) }

func short(item string) bool { return len(item) <= 16 && !strings.Contains(item, "\n") }
