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

// light is for light backgrounds.
var light = Colors{
	Text: hex("#1f2328"), Dim: hex("#636c76"), Faint: hex("#8c959f"), Border: hex("#c8d1da"), Accent: hex("#4355d8"),
	Stop: hex("#c4232f"), Good: hex("#18753a"), Warn: hex("#8f5d00"), Value: hex("#12707c"),
	Cursor: hex("#dfe6ff"), StopLine: hex("#ffe1de"), CurrentLine: hex("#fff4c8"),
	Add: hex("#ddf7e3"), AddStrong: hex("#a6e9b8"), Del: hex("#ffe7e5"), DelStrong: hex("#ffbdb7"),
	Keyword: hex("#7a2fc2"), String: hex("#1a6b2f"), Number: hex("#95480a"), Comment: hex("#6e7781"),
	Type: hex("#0b6a8a"), Func: hex("#2f4bc0"), Builtin: hex("#a04308"), Operator: hex("#4a525a"), OnChip: hex("#ffffff"),
}
