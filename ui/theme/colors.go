package theme

import "image/color"

// night is for dark backgrounds.
var night = Colors{
	Back: hex("#0d1117"),
	Text: hex("#e6edf3"), Dim: hex("#8b949e"), Faint: hex("#5b636d"), Border: hex("#3b434d"), Accent: hex("#8fa8ff"),
	Stop: hex("#ff7b72"), Good: hex("#5fd17a"), Warn: hex("#e3b341"), Value: hex("#6fb3c4"),
	Cursor: hex("#222c44"), StopLine: hex("#40191d"), CurrentLine: hex("#2a2d14"),
	Add: hex("#11281b"), AddStrong: hex("#1f5a34"), Del: hex("#311619"), DelStrong: hex("#742a2d"),
	Keyword: hex("#c99bff"), String: hex("#a5d6a7"), Number: hex("#e8b47a"), Comment: hex("#7d8590"),
	Type: hex("#7ec8e3"), Func: hex("#9db7ff"), Builtin: hex("#e8a87c"), Operator: hex("#aab4be"), OnChip: hex("#0d1117"),
}

// coarse replaces the tints by the nearest of 256 colors that keep their hue;
// the renderer's own choice would be grays.
func (c Colors) coarse(h hue, dark bool) Colors {
	set := func(cursor, stop, current, add, addStrong, del, delStrong string) Colors {
		c.Cursor, c.StopLine, c.CurrentLine = hex(cursor), hex(stop), hex(current)
		c.Add, c.AddStrong, c.Del, c.DelStrong = hex(add), hex(addStrong), hex(del), hex(delStrong)
		return c
	}
	if dark { // the darkest colors are brighter than a tint should be: grays keep their distance
		c.Dim, c.Comment = atLeast(c.Dim, "248"), atLeast(c.Comment, "248")
	}
	switch {
	case h == orangeBlue && dark:
		return set("237", "52", "235", "17", "24", "52", "94")
	case h == orangeBlue:
		return set("189", "223", "230", "195", "153", "230", "222")
	case h == strong && dark:
		return set("17", "52", "234", "233", "22", "233", "52")
	case dark:
		return set("237", "52", "235", "22", "28", "52", "88")
	}
	return set("189", "224", "230", "194", "157", "224", "217")
}

// atLeast is the brighter of a color and a gray.
func atLeast(c color.Color, gray string) color.Color {
	bright := func(c color.Color) uint32 {
		r, g, b, _ := c.RGBA()
		return 2*r + 7*g + b
	}
	if least := hex(gray); bright(c) < bright(least) {
		return least
	}
	return c
}

// basic is for terminals with 16 colors, whose exact shades the person chose:
// bright ones on dark backgrounds, dark ones on light. There are no tints.
func basic(h hue, dark bool) Colors {
	c := Colors{Text: hex("0"), Dim: hex("8"), Faint: hex("8"), Border: hex("7"), Accent: hex("4"),
		Stop: hex("1"), Good: hex("2"), Warn: hex("3"), Value: hex("6"),
		Keyword: hex("5"), String: hex("2"), Number: hex("3"), Comment: hex("8"),
		Type: hex("6"), Func: hex("4"), Builtin: hex("3"), Operator: hex("8"), OnChip: hex("15")}
	if dark {
		c = Colors{Text: hex("15"), Dim: hex("7"), Faint: hex("8"), Border: hex("8"), Accent: hex("12"),
			Stop: hex("9"), Good: hex("10"), Warn: hex("11"), Value: hex("14"),
			Keyword: hex("13"), String: hex("10"), Number: hex("11"), Comment: hex("8"),
			Type: hex("14"), Func: hex("12"), Builtin: hex("11"), Operator: hex("7"), OnChip: hex("0")}
	}
	switch {
	case h == orangeBlue && dark: // yellow is as near to orange as 16 colors come
		c.Stop, c.Good, c.Warn, c.Accent, c.String = hex("11"), hex("12"), hex("13"), hex("14"), hex("14")
	case h == orangeBlue:
		c.Stop, c.Good, c.Warn, c.Accent, c.String = hex("3"), hex("4"), hex("5"), hex("6"), hex("6")
	case h == strong: // the dim shades of some palettes can hardly be seen
		c.Dim, c.Faint, c.Comment = c.Text, c.Text, c.Text
		c.Border = c.Operator
	}
	c.Cursor, c.StopLine, c.CurrentLine = c.Border, c.Border, c.Border
	return c
}

// either is for terminals whose background is not known: the terminal's own text color,
// and those of the 16 colors that can be read on a dark background as on a light one.
func either(h hue) Colors {
	c := Colors{Stop: hex("1"), Good: hex("2"), Warn: hex("5"), Keyword: hex("5"), String: hex("2")}
	if h == orangeBlue {
		c.Stop, c.Good, c.Warn, c.String = hex("1"), hex("4"), hex("5"), nil
	}
	return c
}

// light is for light backgrounds.
var light = Colors{
	Back: hex("#ffffff"),
	Text: hex("#1f2328"), Dim: hex("#636c76"), Faint: hex("#8c959f"), Border: hex("#c8d1da"), Accent: hex("#4355d8"),
	Stop: hex("#c4232f"), Good: hex("#18753a"), Warn: hex("#8f5d00"), Value: hex("#12707c"),
	Cursor: hex("#dfe6ff"), StopLine: hex("#ffe1de"), CurrentLine: hex("#fff4c8"),
	Add: hex("#ddf7e3"), AddStrong: hex("#a6e9b8"), Del: hex("#ffe7e5"), DelStrong: hex("#ffbdb7"),
	Keyword: hex("#7a2fc2"), String: hex("#1a6b2f"), Number: hex("#95480a"), Comment: hex("#69727c"),
	Type: hex("#0b6a8a"), Func: hex("#2f4bc0"), Builtin: hex("#a04308"), Operator: hex("#4a525a"), OnChip: hex("#ffffff"),
}
