package theme

// The colors of well-known themes, by what they mean here. Where one of theirs is
// too faint to be read on their background, it is a shade brighter or darker.

var catppuccinNight = Colors{ // Mocha
	Back: hex("#1e1e2e"),
	Text: hex("#cdd6f4"), Dim: hex("#a6adc8"), Faint: hex("#8087a2"), Border: hex("#585b70"), Accent: hex("#b4befe"),
	Stop: hex("#f38ba8"), Good: hex("#a6e3a1"), Warn: hex("#f9e2af"), Value: hex("#89dceb"),
	Cursor: hex("#313244"), StopLine: hex("#4a2536"), CurrentLine: hex("#3d3829"),
	Add: hex("#243329"), AddStrong: hex("#3a5a43"), Del: hex("#3f2534"), DelStrong: hex("#6b3a4d"),
	Keyword: hex("#cba6f7"), String: hex("#a6e3a1"), Number: hex("#fab387"), Comment: hex("#9399b2"),
	Type: hex("#f9e2af"), Func: hex("#89b4fa"), Builtin: hex("#fab387"), Operator: hex("#a6d5e8"), OnChip: hex("#11111b"),
}

var catppuccinLight = Colors{ // Latte
	Back: hex("#eff1f5"),
	Text: hex("#4c4f69"), Dim: hex("#5c5f77"), Faint: hex("#7c7f93"), Border: hex("#bcc0cc"), Accent: hex("#4a55b8"),
	Stop: hex("#b8092f"), Good: hex("#2b6e1a"), Warn: hex("#8a5208"), Value: hex("#02627f"),
	Cursor: hex("#dce0e8"), StopLine: hex("#f6d3da"), CurrentLine: hex("#f3e8c8"),
	Add: hex("#d8ebd4"), AddStrong: hex("#afd7a6"), Del: hex("#f6dbe0"), DelStrong: hex("#efb3c0"),
	Keyword: hex("#7527c9"), String: hex("#2b6e1a"), Number: hex("#963300"), Comment: hex("#5f6277"),
	Type: hex("#865109"), Func: hex("#1650c4"), Builtin: hex("#963300"), Operator: hex("#0a5a72"), OnChip: hex("#ffffff"),
}

var tokyoNight = Colors{
	Back: hex("#1a1b26"),
	Text: hex("#d5dcfb"), Dim: hex("#a0a8cf"), Faint: hex("#737aa2"), Border: hex("#414868"), Accent: hex("#7aa2f7"),
	Stop: hex("#f7768e"), Good: hex("#9ece6a"), Warn: hex("#e0af68"), Value: hex("#7dcfff"),
	Cursor: hex("#292e42"), StopLine: hex("#44202e"), CurrentLine: hex("#37301f"),
	Add: hex("#16241f"), AddStrong: hex("#1f4434"), Del: hex("#38212c"), DelStrong: hex("#663443"),
	Keyword: hex("#cdb4fa"), String: hex("#9ece6a"), Number: hex("#ff9e64"), Comment: hex("#848cb5"),
	Type: hex("#2ac3de"), Func: hex("#7aa2f7"), Builtin: hex("#ff9e64"), Operator: hex("#89ddff"), OnChip: hex("#15161e"),
}

var tokyoDay = Colors{
	Back: hex("#e1e2e7"),
	Text: hex("#343b58"), Dim: hex("#4c5379"), Faint: hex("#6c7392"), Border: hex("#a8aecb"), Accent: hex("#1e5fbf"),
	Stop: hex("#ab1a3e"), Good: hex("#40600f"), Warn: hex("#66400a"), Value: hex("#00607a"),
	Cursor: hex("#cbd0e2"), StopLine: hex("#ecc8d0"), CurrentLine: hex("#e8debb"),
	Add: hex("#cfdfc8"), AddStrong: hex("#a8c99a"), Del: hex("#ecd0d6"), DelStrong: hex("#e2a9b6"),
	Keyword: hex("#5f22b0"), String: hex("#40600f"), Number: hex("#6b2700"), Comment: hex("#535a80"),
	Type: hex("#005f78"), Func: hex("#1d55a8"), Builtin: hex("#6b2700"), Operator: hex("#0a5670"), OnChip: hex("#ffffff"),
}

var draculaNight = Colors{
	Back: hex("#282a36"),
	Text: hex("#f8f8f2"), Dim: hex("#bfc4dc"), Faint: hex("#8d97bf"), Border: hex("#565b78"), Accent: hex("#cfb0ff"),
	Stop: hex("#ff7c7c"), Good: hex("#50fa7b"), Warn: hex("#f1fa8c"), Value: hex("#8be9fd"),
	Cursor: hex("#44475a"), StopLine: hex("#552a33"), CurrentLine: hex("#474831"),
	Add: hex("#1f3a2d"), AddStrong: hex("#2f6a48"), Del: hex("#4b2c37"), DelStrong: hex("#7b3844"),
	Keyword: hex("#ff8fce"), String: hex("#f1fa8c"), Number: hex("#caa6fb"), Comment: hex("#a0abd4"),
	Type: hex("#8be9fd"), Func: hex("#50fa7b"), Builtin: hex("#ffb86c"), Operator: hex("#ff8fce"), OnChip: hex("#191a21"),
}

var draculaLight = Colors{ // Alucard
	Back: hex("#fffbeb"),
	Text: hex("#1f1f1f"), Dim: hex("#56534a"), Faint: hex("#7c786b"), Border: hex("#cfcabb"), Accent: hex("#644ac9"),
	Stop: hex("#b3261e"), Good: hex("#14710a"), Warn: hex("#795414"), Value: hex("#036a96"),
	Cursor: hex("#e9e4d4"), StopLine: hex("#fbd9d0"), CurrentLine: hex("#f6edb7"),
	Add: hex("#e1f0d3"), AddStrong: hex("#b7dfa3"), Del: hex("#fbe0d8"), DelStrong: hex("#f4b5aa"),
	Keyword: hex("#a3144d"), String: hex("#6a5a0a"), Number: hex("#644ac9"), Comment: hex("#666154"),
	Type: hex("#036a96"), Func: hex("#14710a"), Builtin: hex("#a34d14"), Operator: hex("#a3144d"), OnChip: hex("#ffffff"),
}

var solarizedNight = Colors{
	Back: hex("#002b36"),
	Text: hex("#dfe8e8"), Dim: hex("#a0b0b0"), Faint: hex("#708890"), Border: hex("#3a5a64"), Accent: hex("#58b0ee"),
	Stop: hex("#ff8a80"), Good: hex("#a5b925"), Warn: hex("#dcab28"), Value: hex("#4fc4ba"),
	Cursor: hex("#0d4350"), StopLine: hex("#4a2026"), CurrentLine: hex("#33390f"),
	Add: hex("#0c3a2a"), AddStrong: hex("#124a20"), Del: hex("#352a30"), DelStrong: hex("#6b2c30"),
	Keyword: hex("#a5b925"), String: hex("#4fc4ba"), Number: hex("#ec88ba"), Comment: hex("#8aa0a4"),
	Type: hex("#dcab28"), Func: hex("#58b0ee"), Builtin: hex("#f08c5e"), Operator: hex("#a8b6b6"), OnChip: hex("#00212a"),
}

var solarizedDay = Colors{
	Back: hex("#fdf6e3"),
	Text: hex("#3c4f56"), Dim: hex("#56686f"), Faint: hex("#7c8a8c"), Border: hex("#cfcab8"), Accent: hex("#1a66a8"),
	Stop: hex("#b02522"), Good: hex("#5a6600"), Warn: hex("#7f5c00"), Value: hex("#1b6b65"),
	Cursor: hex("#eee8d5"), StopLine: hex("#fad9cb"), CurrentLine: hex("#f5e9b4"),
	Add: hex("#e6edc4"), AddStrong: hex("#c8d68a"), Del: hex("#fbdfd2"), DelStrong: hex("#f3b6a5"),
	Keyword: hex("#5a6600"), String: hex("#1b6b65"), Number: hex("#a82468"), Comment: hex("#5f7076"),
	Type: hex("#7f5c00"), Func: hex("#1a66a8"), Builtin: hex("#96340a"), Operator: hex("#4a5c62"), OnChip: hex("#ffffff"),
}
