package keymap

import "strings"

// Mouse says what the mouse does, for the help and docs/reference/keys.md.
var Mouse = []struct{ What, Does string }{
	{"click", "selects the pane and the row, or a name of the source; on a line number it sets or clears a breakpoint"},
	{"double click", "on a call of the stack shows its source; on a title zooms the pane"},
	{"right click", "selects a line of the source and names its keys; nothing runs. ctrl and alt with a click do the same"},
	{"drag", "resizes panes by their borders"},
	{"wheel", "scrolls what is below the pointer"},
}

// MouseMarkdown is the table of the mouse in docs/reference/keys.md.
func MouseMarkdown() string {
	var b strings.Builder
	b.WriteString("| mouse | does |\n| --- | --- |\n")
	for _, m := range Mouse {
		b.WriteString("| " + m.What + " | " + m.Does + " |\n")
	}
	return b.String()
}
