package theme

// night is for dark backgrounds.
var night = Colors{
	Text: hex("#e6edf3"), Dim: hex("#8b949e"), Faint: hex("#5b636d"), Border: hex("#3b434d"), Accent: hex("#8fa8ff"),
	Stop: hex("#ff7b72"), Good: hex("#5fd17a"), Warn: hex("#e3b341"), Value: hex("#6fb3c4"),
	Cursor: hex("#222c44"), StopLine: hex("#40191d"), CurrentLine: hex("#2a2d14"),
	Add: hex("#11281b"), AddStrong: hex("#1f5a34"), Del: hex("#311619"), DelStrong: hex("#742a2d"),
	Keyword: hex("#c99bff"), String: hex("#a5d6a7"), Number: hex("#e8b47a"), Comment: hex("#7d8590"),
	Type: hex("#7ec8e3"), Func: hex("#9db7ff"), Builtin: hex("#e8a87c"), Operator: hex("#aab4be"), OnChip: hex("#0d1117"),
}

// coarse replaces the tints by the nearest of 256 colours that keep their hue;
// the renderer's own choice would be greys.
func (c Colors) coarse(dark bool) Colors {
	if dark {
		c.Cursor, c.StopLine, c.CurrentLine = hex("236"), hex("52"), hex("58")
		c.Add, c.AddStrong, c.Del, c.DelStrong = hex("22"), hex("28"), hex("52"), hex("88")
		return c
	}
	c.Cursor, c.StopLine, c.CurrentLine = hex("189"), hex("224"), hex("230")
	c.Add, c.AddStrong, c.Del, c.DelStrong = hex("194"), hex("157"), hex("224"), hex("217")
	return c
}

// basic is for terminals with 16 colours, whose exact shades the person chose:
// bright ones on dark backgrounds, dark ones on light. There are no tints.
func basic(dark bool) Colors {
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
	c.Cursor, c.StopLine, c.CurrentLine = c.Border, c.Border, c.Border
	return c
}

// light is for light backgrounds.
var light = Colors{
	Text: hex("#1f2328"), Dim: hex("#636c76"), Faint: hex("#8c959f"), Border: hex("#c8d1da"), Accent: hex("#4355d8"),
	Stop: hex("#c4232f"), Good: hex("#18753a"), Warn: hex("#8f5d00"), Value: hex("#12707c"),
	Cursor: hex("#dfe6ff"), StopLine: hex("#ffe1de"), CurrentLine: hex("#fff4c8"),
	Add: hex("#ddf7e3"), AddStrong: hex("#a6e9b8"), Del: hex("#ffe7e5"), DelStrong: hex("#ffbdb7"),
	Keyword: hex("#7a2fc2"), String: hex("#1a6b2f"), Number: hex("#95480a"), Comment: hex("#6e7781"),
	Type: hex("#0b6a8a"), Func: hex("#2f4bc0"), Builtin: hex("#a04308"), Operator: hex("#4a525a"), OnChip: hex("#ffffff"),
}
