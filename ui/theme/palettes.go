package theme

// Palette is the colors of a theme, for dark and for light backgrounds. The
// background itself is the terminal's own and is never painted.
type Palette struct {
	Name  string // as the configuration writes it
	Words string // what it is for
	Dark  Colors
	Light Colors
	// hue says which of the coarse colors stand for the tints.
	hue hue
}

// hue is which colors tell added from deleted, and good from bad.
type hue int

const (
	redGreen   hue = iota
	orangeBlue     // distinct also for the color-blind
	strong         // red and green, with as much contrast as there is
)

// Default is the name of the theme that is taken where none is named.
const Default = "default"

// palettes are all themes, in the order of the picker.
var palettes = []Palette{
	{Name: Default, Words: "the colors pausetui comes with", Dark: night, Light: light},
	{Name: "high-contrast", Words: "as much contrast as there is", Dark: brightNight, Light: brightLight, hue: strong},
	{Name: "color-blind", Words: "blue and orange instead of green and red", Dark: blueNight, Light: blueLight, hue: orangeBlue},
	{Name: "catppuccin", Words: "soft pastels: Mocha and Latte", Dark: catppuccinNight, Light: catppuccinLight},
	{Name: "dracula", Words: "vivid on violet gray", Dark: draculaNight, Light: draculaLight},
	{Name: "gruvbox", Words: "warm and retro", Dark: gruvboxNight, Light: gruvboxLight},
	{Name: "nord", Words: "cold and calm", Dark: nordNight, Light: nordLight},
	{Name: "solarized", Words: "low contrast, even lightness", Dark: solarizedNight, Light: solarizedDay},
	{Name: "tokyonight", Words: "blue and violet, like a city at night", Dark: tokyoNight, Light: tokyoDay},
	{Name: "quiet", Words: "grays; colors only for what matters", Dark: quietNight, Light: quietLight},
}

// Palettes lists the themes.
func Palettes() []Palette { return palettes }

// Names are the names of the themes.
func Names() []string {
	names := make([]string, len(palettes))
	for i, p := range palettes {
		names[i] = p.Name
	}
	return names
}

// Find returns the theme of a name; the default one and false where there is none.
func Find(name string) (Palette, bool) {
	for _, p := range palettes {
		if p.Name == name {
			return p, true
		}
	}
	return palettes[0], name == ""
}

var brightNight = Colors{
	Back: hex("#000000"),
	Text: hex("#ffffff"), Dim: hex("#d0d7de"), Faint: hex("#b1bac4"), Border: hex("#8b949e"), Accent: hex("#8cc4ff"),
	Stop: hex("#ff9c98"), Good: hex("#4ae168"), Warn: hex("#f7c843"), Value: hex("#76e3ea"),
	Cursor: hex("#16336b"), StopLine: hex("#5c0f18"), CurrentLine: hex("#40380a"),
	Add: hex("#06331a"), AddStrong: hex("#0a5a2a"), Del: hex("#4a0e13"), DelStrong: hex("#7d1620"),
	Keyword: hex("#dbb7ff"), String: hex("#a5f0b0"), Number: hex("#ffc680"), Comment: hex("#c0c8d1"),
	Type: hex("#8ee6ff"), Func: hex("#b0ccff"), Builtin: hex("#ffbf8a"), Operator: hex("#e0e6ec"), OnChip: hex("#000000"),
}

var brightLight = Colors{
	Back: hex("#ffffff"),
	Text: hex("#000000"), Dim: hex("#2a2f36"), Faint: hex("#424a53"), Border: hex("#6e7781"), Accent: hex("#0a2a8a"),
	Stop: hex("#86061d"), Good: hex("#024c1a"), Warn: hex("#4e2c00"), Value: hex("#033d4c"),
	Cursor: hex("#c6d8ff"), StopLine: hex("#ffd0cc"), CurrentLine: hex("#fff0a8"),
	Add: hex("#d2fbdc"), AddStrong: hex("#8fe3a6"), Del: hex("#ffdedb"), DelStrong: hex("#ffb1a8"),
	Keyword: hex("#512598"), String: hex("#024c1a"), Number: hex("#622700"), Comment: hex("#3b434c"),
	Type: hex("#033d4c"), Func: hex("#0a2a8a"), Builtin: hex("#702c00"), Operator: hex("#1f2328"), OnChip: hex("#ffffff"),
}

// Blue and orange, after Okabe and Ito (jfly.uni-koeln.de/color): distinct
// with every common kind of color blindness.
var blueNight = Colors{
	Back: hex("#0d1117"),
	Text: hex("#e6edf3"), Dim: hex("#98a2ad"), Faint: hex("#6b747e"), Border: hex("#3b434d"), Accent: hex("#d7b3e8"),
	Stop: hex("#ff8a3d"), Good: hex("#56b4e9"), Warn: hex("#f0e442"), Value: hex("#8fd6c4"),
	Cursor: hex("#2a2440"), StopLine: hex("#43240e"), CurrentLine: hex("#33300f"),
	Add: hex("#10263d"), AddStrong: hex("#1b4a78"), Del: hex("#3a2410"), DelStrong: hex("#704312"),
	Keyword: hex("#d7b3e8"), String: hex("#8fd6c4"), Number: hex("#f3c48a"), Comment: hex("#8b949e"),
	Type: hex("#8cc8f0"), Func: hex("#b7c7ff"), Builtin: hex("#f0b27a"), Operator: hex("#aab4be"), OnChip: hex("#0d1117"),
}

var blueLight = Colors{
	Back: hex("#ffffff"),
	Text: hex("#1f2328"), Dim: hex("#5c656f"), Faint: hex("#848d97"), Border: hex("#c8d1da"), Accent: hex("#7a3d8f"),
	Stop: hex("#b34700"), Good: hex("#005fa3"), Warn: hex("#5c5200"), Value: hex("#00695c"),
	Cursor: hex("#efe3f5"), StopLine: hex("#ffe3c7"), CurrentLine: hex("#fdf6b8"),
	Add: hex("#dcecfb"), AddStrong: hex("#a9d2f7"), Del: hex("#ffe8d1"), DelStrong: hex("#ffc98f"),
	Keyword: hex("#7a3d8f"), String: hex("#00695c"), Number: hex("#8a4300"), Comment: hex("#646d77"),
	Type: hex("#005fa3"), Func: hex("#3b4bb8"), Builtin: hex("#95480a"), Operator: hex("#4a525a"), OnChip: hex("#ffffff"),
}

var gruvboxNight = Colors{
	Back: hex("#282828"),
	Text: hex("#ebdbb2"), Dim: hex("#bdae93"), Faint: hex("#928374"), Border: hex("#504945"), Accent: hex("#83a598"),
	Stop: hex("#ff7561"), Good: hex("#b8bb26"), Warn: hex("#fabd2f"), Value: hex("#8ec07c"),
	Cursor: hex("#3c3836"), StopLine: hex("#4d2320"), CurrentLine: hex("#3b3412"),
	Add: hex("#2c3316"), AddStrong: hex("#4b5a1c"), Del: hex("#42211e"), DelStrong: hex("#7a2d26"),
	Keyword: hex("#e29cb0"), String: hex("#b8bb26"), Number: hex("#fe9b46"), Comment: hex("#a89984"),
	Type: hex("#fabd2f"), Func: hex("#8ec07c"), Builtin: hex("#fe9b46"), Operator: hex("#d5c4a1"), OnChip: hex("#1d2021"),
}

var gruvboxLight = Colors{
	Back: hex("#fbf1c7"),
	Text: hex("#3c3836"), Dim: hex("#665c54"), Faint: hex("#857a6c"), Border: hex("#bdae93"), Accent: hex("#076678"),
	Stop: hex("#9d0006"), Good: hex("#5f5a08"), Warn: hex("#82540a"), Value: hex("#2c6545"),
	Cursor: hex("#ebdbb2"), StopLine: hex("#f6cdbd"), CurrentLine: hex("#f2e2a0"),
	Add: hex("#e6eab0"), AddStrong: hex("#c9d37c"), Del: hex("#f8d3c4"), DelStrong: hex("#f0ab97"),
	Keyword: hex("#8f3f71"), String: hex("#5f5a08"), Number: hex("#973203"), Comment: hex("#6c6056"),
	Type: hex("#82540a"), Func: hex("#2c6545"), Builtin: hex("#973203"), Operator: hex("#504945"), OnChip: hex("#fbf1c7"),
}

var nordNight = Colors{
	Back: hex("#2e3440"),
	Text: hex("#eceff4"), Dim: hex("#b3bdcf"), Faint: hex("#8591a8"), Border: hex("#4c566a"), Accent: hex("#88c0d0"),
	Stop: hex("#ee98a0"), Good: hex("#a3be8c"), Warn: hex("#ebcb8b"), Value: hex("#8fbcbb"),
	Cursor: hex("#3d4659"), StopLine: hex("#54323c"), CurrentLine: hex("#48442f"),
	Add: hex("#33443a"), AddStrong: hex("#47654a"), Del: hex("#4c343d"), DelStrong: hex("#7c404b"),
	Keyword: hex("#9dbbdb"), String: hex("#a3be8c"), Number: hex("#d0aecb"), Comment: hex("#a0adc2"),
	Type: hex("#8fc7c5"), Func: hex("#88c0d0"), Builtin: hex("#e6b29e"), Operator: hex("#b5c4d6"), OnChip: hex("#1c2028"),
}

var nordLight = Colors{
	Back: hex("#f4f6fa"),
	Text: hex("#2e3440"), Dim: hex("#4c566a"), Faint: hex("#7c869b"), Border: hex("#c2cad8"), Accent: hex("#33628b"),
	Stop: hex("#a02030"), Good: hex("#3b652a"), Warn: hex("#795409"), Value: hex("#246361"),
	Cursor: hex("#dde5f1"), StopLine: hex("#f5d7da"), CurrentLine: hex("#f4ebc9"),
	Add: hex("#dcebd4"), AddStrong: hex("#b5d6a5"), Del: hex("#f6dcdf"), DelStrong: hex("#eeb4ba"),
	Keyword: hex("#3f5f93"), String: hex("#3b652a"), Number: hex("#7c4a75"), Comment: hex("#5c6679"),
	Type: hex("#246361"), Func: hex("#33628b"), Builtin: hex("#934a2e"), Operator: hex("#4c566a"), OnChip: hex("#ffffff"),
}

var quietNight = Colors{
	Back: hex("#0d1117"),
	Text: hex("#dcdcdc"), Dim: hex("#9a9a9a"), Faint: hex("#6e6e6e"), Border: hex("#444444"), Accent: hex("#ffffff"),
	Stop: hex("#ff7b72"), Good: hex("#7fcf8f"), Warn: hex("#e3b341"), Value: hex("#c4c4c4"),
	Cursor: hex("#333333"), StopLine: hex("#40191d"), CurrentLine: hex("#2e2e1c"),
	Add: hex("#16281b"), AddStrong: hex("#27543a"), Del: hex("#311a1c"), DelStrong: hex("#6b2d2f"),
	Keyword: hex("#ffffff"), String: hex("#b8b8b8"), Number: hex("#c8c8c8"), Comment: hex("#8c8c8c"),
	Type: hex("#dcdcdc"), Func: hex("#eeeeee"), Builtin: hex("#d0d0d0"), Operator: hex("#a8a8a8"), OnChip: hex("#0d1117"),
}

var quietLight = Colors{
	Back: hex("#ffffff"),
	Text: hex("#222222"), Dim: hex("#666666"), Faint: hex("#8e8e8e"), Border: hex("#cccccc"), Accent: hex("#000000"),
	Stop: hex("#b3222d"), Good: hex("#1c6b38"), Warn: hex("#845600"), Value: hex("#444444"),
	Cursor: hex("#e6e6e6"), StopLine: hex("#ffe1de"), CurrentLine: hex("#f7f1d4"),
	Add: hex("#e2f3e6"), AddStrong: hex("#b4e0c0"), Del: hex("#fbe7e5"), DelStrong: hex("#f7c1bc"),
	Keyword: hex("#000000"), String: hex("#555555"), Number: hex("#444444"), Comment: hex("#707070"),
	Type: hex("#222222"), Func: hex("#111111"), Builtin: hex("#333333"), Operator: hex("#555555"), OnChip: hex("#ffffff"),
}
