package keymap

// inPast are the actions that do something while an earlier stop is looked at,
// next to the movements: they only look.
var inPast = map[Action]bool{
	Interrupt: true, Earlier: true, Later: true, Stops: true, View: true, Copy: true, CopyPath: true, Hunk: true,
	NextMatch: true, PreviousMatch: true, Filter: true, Palette: true, Themes: true, Help: true, Quit: true,
}

// past is why an action can do nothing in the past; there only looking is
// possible.
func past(b Binding) func(Facts) string {
	if inPast[b.Action] || b.Group == groupMove {
		return b.Why
	}
	return func(f Facts) string {
		if f.Past {
			return "this is an earlier stop: esc returns to the present"
		}
		return b.Why(f)
	}
}
