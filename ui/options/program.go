package options

import (
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/pair"
)

// Program is how Bubble Tea runs a program with these options, which writes to out.
func Program(opts Screen, out io.Writer) []tea.ProgramOption {
	// Signals come as the end of the context. Bubble Tea's own handler would send
	// its message to a program that has just quit because of that, and never end.
	list := []tea.ProgramOption{tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFilter(sized(opts.Remote))}
	if opts.FPS > 0 {
		list = append(list, tea.WithFPS(opts.FPS))
	}
	if opts.Input != nil {
		list = append(list, tea.WithInput(opts.Input))
	}
	environ := os.Environ()
	if r := opts.Remote; r != nil {
		environ = r.Environ
		list = append(list, tea.WithColorProfile(colorprofile.Env(environ)), tea.WithWindowSize(r.Size.Width, r.Size.Height))
	}
	if opts.NoColor {
		environ = append(environ, "NO_COLOR=1")
	}
	if opts.NoColor || opts.Remote != nil {
		list = append(list, tea.WithEnvironment(environ))
	}
	return list
}

// The sizes of screens that are drawn: a terminal can say what its size is in its input,
// too, and a guest types what they like.
var (
	ownSizes   = [2]pair.Size{{}, {Width: 2000, Height: 1000}}
	guestSizes = [2]pair.Size{pair.SmallestGuest, pair.LargestGuest}
)

// sized takes other sizes for the nearest.
func sized(remote *Remote) func(tea.Model, tea.Msg) tea.Msg {
	bounds := ownSizes
	if remote != nil {
		bounds = guestSizes
	}
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		size, ok := msg.(tea.WindowSizeMsg)
		if !ok {
			return msg
		}
		within := pair.Size{Width: size.Width, Height: size.Height}.Within(bounds[0], bounds[1])
		return tea.WindowSizeMsg{Width: within.Width, Height: within.Height}
	}
}
