// Package options has what a screen starts with: its terminal, its keys, its colors,
// and who can be asked. It must not know what is drawn.
package options

import (
	"context"
	"io"
	"time"

	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/preferences"
)

// Screen are the settings of the program.
type Screen struct {
	Version      string
	NoColor      bool                                  // draw without colors; signs carry the meaning
	Editor       string                                // the person's editor, with its arguments; empty when there is none
	Sessions     []string                              // shows past sessions on the terminal: a program with its arguments; empty for none
	Clock        func() time.Time                      // nil means time.Now
	Mark         func(name string)                     // called with first_frame and stop_painted, once each; may be nil
	Input        io.Reader                             // nil means the terminal
	Output       io.Writer                             // nil means standard output
	Foreground   func() bool                           // whether the terminal is ours to draw on; nil means always
	Continued    func(context.Context) <-chan struct{} // returns a channel that receives whenever it is ours again; may be nil
	Profiles     []string                              // names of the profiles that f asks
	Askers       Askers                                // who F offers; nil for Profiles alone
	KeyOverrides map[string]string                     // action to key, see keymap.New
	Formats      format.Formats                        // the person's own ways to write values
	Dark         *bool                                 // the background; nil asks the terminal
	Look         Look                                  // the colors
	Preferences  Preferences                           // what is remembered between sessions; nil for nothing
	Guide        func(session.Notice) bool             // of a tour: reports whether a notice is one of its steps, which stays until the next; else nil
	Attended     func()                                // called when a person uses the keyboard or sees a new stop; may be nil
	Deaf         time.Duration                         // how long keys are ignored after something appeared by itself; 0 for 300 ms
	FPS          int                                   // frames a second, 0 for 60; the answer to a key may be one more
	Notify       Notify                                // how a person is called back; never without After
	History      func(root string) History             // of the command line of the module in a directory; nil for none
	Seat         *pair.Seat                            // in a session that may be shared; nil where it cannot be
	Remote       *Remote                               // the terminal of a guest; nil for this process's own
}

// Remote is a terminal that is reached over a connection.
type Remote struct {
	Environ []string // what describes it: TERM, COLORTERM, …
	Size    pair.Size
	Resized <-chan pair.Size
}

// Look says which colors are used, as the configuration does. Where it names
// none, those that the person chose last are taken.
type Look struct {
	Theme      string            // one of theme.Names; empty where none is named
	Background string            // "dark", "light", or "auto" (also empty): the terminal says
	Colors     map[string]string // of the person's own, by theme.ColorNames
}

// Askers is who can be asked: profiles and models, with what is known of them.
type Askers interface {
	// List returns them at once, as they are known now.
	List() []dialog.Asker
	// Refresh looks again at what there is, and Probe tries one. They may take
	// their time, and end with ctx.
	Refresh(ctx context.Context) error
	Probe(ctx context.Context, name string) error
}

// History keeps the lines of the command line between sessions.
type History interface {
	Load() ([]string, error)
	Add(line string) error
}

// Preferences keeps what the screen remembers between sessions; *preferences.File is one.
type Preferences interface {
	Load() (preferences.Screen, error)
	Change(change func(*preferences.Screen)) error
}
