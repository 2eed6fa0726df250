package keymap

// Screen is how the screen is laid out.
type Screen struct {
	Panes   bool // panes are shown
	Divided bool // … with borders that can be moved
	Wide    bool // … and with places that they can be given
	Zoomed  bool // the focused pane has the whole screen
	Shaped  bool // the person has changed the layout
}

func whyZoom(f Facts) string {
	if !f.Panes {
		return "there are no panes yet"
	}
	return ""
}

func whyResize(f Facts) string {
	switch {
	case f.Zoomed:
		return "this pane has the whole screen: z shows the others again"
	case !f.Divided:
		return "only one pane fits: a larger terminal shows several"
	}
	return ""
}

func whyMovePane(f Facts) string {
	switch {
	case f.Pane == 1:
		return "the source stays in the middle"
	case !f.Wide:
		return "panes can be moved while the program is stopped, in a terminal of 80 by 18 cells or more"
	}
	return ""
}

func whyReset(f Facts) string {
	if !f.Shaped {
		return "the layout is the default one"
	}
	return ""
}
