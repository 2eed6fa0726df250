// Package live is a running session as its frontends see it: the client that they talk
// to, and what is under way now, which is in no journal.
package live

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/navigate"
)

// Client is an engine as its frontends see it.
type Client interface {
	// Do hands over an intent and returns at once.
	Do(intent.Intent)
	// Wait returns when there is something newer than after and version, or
	// when ctx ends. It returns io.EOF after the session's last event.
	Wait(ctx context.Context, after uint64, version uint64) (Update, error)
	// Inspector reads the target while it is stopped.
	Inspector() debugger.Inspector
	// Sources answers questions about the program's source.
	Sources() Sources
	// SourceOf is the text of a source file as it was at an earlier stop, by its
	// name in the record (session.SourceKept).
	SourceOf(name string) ([]byte, error)
	// Output is what the target printed in this round.
	Output() *output.Buffer
}

// Update is what has happened since the last one.
type Update struct {
	Events []session.Event // in order, without gaps
	Live   State
}

// State is what is under way now: cosmetic, droppable, never in the journal.
type State struct {
	Version  uint64
	Build    *build.Progress      // while building
	Streams  map[string]Stream    // by request: answers being written
	Proving  map[string]string    // by candidate: the check under way
	Began    map[string]time.Time // by candidate: when its proof began
	Tested   map[string]Tested    // by candidate: how far its tests are, while they run
	Running  time.Time            // when the target last began to run; zero while stopped
	Hits     map[int]uint64       // by breakpoint: how often each was reached in this round, as of the last stop
	Passed   map[string]int       // by fingerprint of the muted places: how often they were passed
	OutputV  uint64               // changes when the target printed something
	Status   string               // one line: "no Ollama at 127.0.0.1:11434: built-in fixer only"
	Waiting  map[string]time.Time // by request: asked and silent since
	Consent  *Wanted              // a prompt waits for a person to agree that it leaves this machine; nil without one
	Preview  *Preview             // the question that PreviewPrompt asked to see; nil once it is sent
	Reply    *Reply               // a question's answer being written; nil without one
	Command  *Command             // the line of the command line that is being carried out; nil without one
	Commands *console.Table       // the commands as they are now; nil: console.NewTable
	Moment   string               // of a session in the past: "3 statements before the one that fails"
	Varies   bool                 // … whose runs have had different values
	Past     *Past                // an earlier moment that the person at the keyboard has gone to; nil without one
}

// Command is a line of the command line that is being carried out.
type Command struct {
	Line     string
	Since    time.Time
	Progress string   // how far it has come; empty where that is not known
	Waiting  []string // the lines after it, which wait for its end
	Number   uint64   // of the line
}

// Tested counts the tests of a candidate that were run, of about as many as
// were run without it.
type Tested struct{ Done, Total int }

// Stream is an answer being written.
type Stream struct {
	Model  string
	Tokens int    // pieces received so far
	Tail   string // the last text, bounded
	Since  time.Time
}

// Reply is the answer to a question, being written.
type Reply struct {
	Question string // its id
	Text     string // so far, bounded
	Tokens   int    // pieces received so far
	Since    time.Time
}

// Preview is a question as it would be sent, for the person to look at.
type Preview struct {
	Profile string        // the profile of the session that would be asked
	Draft   *intent.Draft // nil while it is being prepared, and when it cannot be
	Note    string        // why another prompt than the profile's own was chosen
	// Err and Hint say why there is no draft.
	Err, Hint string
}

// Wanted is a consent that is waited for: the prompt, with values of the
// program, would leave this machine for Host.
type Wanted struct{ Host, Model string }

// Past is a session in the past, for the frontend of who went there.
type Past struct{ Client }

// Sources answers questions about the source of the program, whether it runs or
// not. Each may take a while: do not ask where nothing may wait.
type Sources interface {
	// Index returns the files and symbols once there are more than in a version.
	Index(ctx context.Context, after int) (*navigate.Index, error)
	// Definition finds where a name is declared, Callers who calls a function.
	Definition(ctx context.Context, at navigate.At) (navigate.Answer, error)
	Callers(ctx context.Context, at navigate.At) (navigate.Answer, error)
	// Loaded reports whether Definition and Callers can answer at once.
	Loaded() bool
	// About says what there is to know about a file.
	About(ctx context.Context, file string) About
}

// About is what there is to know about a source file besides its text.
type About struct {
	Modified  time.Time             // when the file was written that this is about
	Marks     map[int]navigate.Mark // lines that differ from the last commit, and those that a fix has written
	Untracked bool                  // it is in a repository, and in no commit
	Stale     string                // why its lines may not be the program's; empty when they are
	Generated bool
	Err       string // why the changes are not known
}

// Put sets an entry of one of State's maps, which may be nil.
func Put[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}
