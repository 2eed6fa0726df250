package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/preferences"
)

// lookAtState says where things are kept between sessions, and whether they can be.
func lookAtState(context.Context) Finding {
	f := Directory(filepath.Join(xdg.StateHome, "pausetui"), "nothing is remembered between sessions: layout, theme, fixes that helped")
	if _, err := (&preferences.File{Path: preferences.Path()}).Load(); err != nil && f.Level == OK {
		f.Level, f.Why = Warn, []string{err.Error()}
		f.Hint = "the default layout and theme are used; removing the file stops the warning"
	}
	return f
}

// lookAtLogs says where the logs of this module's sessions go.
func (m machine) lookAtLogs(context.Context) Finding {
	root, err := m.ModuleRoot()
	if err != nil {
		return Finding{Level: Bad, Found: err.Error()}
	}
	logs, err := session.FindDir(root, "")
	if err != nil {
		return Finding{Level: Bad, Found: err.Error(), Hint: advice.Of(err)}
	}
	return Directory(logs, "sessions cannot be logged here; --log-dir names another directory")
}

// lookAtColors says which colors the terminal can show.
func (m machine) lookAtColors(context.Context) Finding {
	words := map[colorprofile.Profile]string{colorprofile.TrueColor: "true color", colorprofile.ANSI256: "256 colors", colorprofile.ANSI: "16 colors",
		colorprofile.ASCII: "none, by NO_COLOR or the terminal: signs carry the meaning", colorprofile.NoTTY: "none here: the output is not a terminal"}
	profile := colorprofile.Detect(m.Stdout, os.Environ())
	f := Finding{Level: OK, Found: words[profile]}
	if profile == colorprofile.ANSI256 || profile == colorprofile.ANSI {
		f.Hint = "if the terminal supports more, set COLORTERM=truecolor"
	}
	return f
}

// lookAtNotices says how a person is notified.
func (m machine) lookAtNotices(context.Context) Finding {
	dir, err := m.Dir()
	if err != nil {
		return Finding{Level: Warn, Found: err.Error()}
	}
	c, err := m.Config(dir)
	if err != nil {
		return Finding{Level: OK, Found: "the configuration has a mistake, see there"}
	}
	n := cli.Notify(c.Notify)
	words := "no bell"
	if n.Bell {
		words = "the terminal's bell"
	}
	f := Finding{Level: OK}
	switch way := n.Way(""); way {
	case "", "off":
		f.Found = words + ", no desktop notification"
		if way == "" {
			f.Hint = "[notify] desktop = \"osc9\" or \"osc777\" sends one, if the terminal supports it"
		}
	default:
		f.Found = words + " and a desktop notification (" + way + ")"
		if os.Getenv("TMUX") != "" {
			f.Hint = "tmux lets it through with: set -g allow-passthrough on"
		}
	}
	f.Found += fmt.Sprintf(", when something that took %s or more ends", n.After)
	return f
}

// lookAtEditor says what e opens.
func lookAtEditor(context.Context) Finding {
	command, from := cli.FindEditor()
	return Editor(command, from, exec.LookPath)
}
