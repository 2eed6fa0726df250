package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
)

// Markdown tells a session's story for people: front matter, then what
// happened in order. It is a pure function of the events.
func Markdown(events []Event) []byte {
	var out bytes.Buffer
	w := newStory(Fold(NewState(), events))
	for _, e := range events {
		w.event(e)
		_ = w.flush(&out) // a buffer takes everything
	}
	_ = w.flush(&out)
	return out.Bytes()
}

// WriteMarkdown writes the log that Markdown makes of the journal at path. It reads the
// journal twice, and does not hold all events. It fails as ReadFile does; of a damaged
// journal it writes what comes before the damage.
func WriteMarkdown(out io.Writer, path string) error {
	s, count := NewState(), 0
	s.own = true
	damage := EachEvent(path, func(e Event) error {
		s, count = s.Apply(e), count+1
		return nil
	})
	if damage != nil && count == 0 {
		return damage
	}
	s.own = false
	w := newStory(s)
	err := EachEvent(path, func(e Event) error {
		if count--; count < 0 { // the session goes on
			return errEnough
		}
		w.event(e)
		return w.flush(out)
	})
	if err := w.flush(out); err != nil {
		return err
	}
	if errors.Is(err, errEnough) || errors.Is(err, ErrTorn) {
		return nil
	}
	return err
}

var errEnough = errors.New("enough was read")

func newStory(s State) *story {
	w := &story{state: s}
	w.frontMatter()
	w.title()
	return w
}

// flush writes out what there is so far. Of blank lines it writes as many as markdown needs.
func (w *story) flush(out io.Writer) error {
	text := []byte(printable.Text(w.out.String()))
	w.out.Reset()
	kept := text[:0]
	for _, c := range text {
		if c != '\n' {
			w.ends = 0
		} else if w.ends++; w.ends > 2 {
			continue
		}
		kept = append(kept, c)
	}
	_, err := out.Write(kept)
	return err
}

// FrontMatter is the head of a log, for tools that list many of them.
type FrontMatter struct {
	Session     string   `yaml:"session"` // the ID
	Date        string   `yaml:"date"`    // of the start, RFC 3339
	Target      string   `yaml:"target"`  // what was debugged
	Args        []string `yaml:"args,omitempty,flow"`
	Class       string   `yaml:"class,omitempty"` // of the first crash: docs/reference/stops.md
	Message     string   `yaml:"message,omitempty"`
	Culprit     string   `yaml:"culprit,omitempty"` // function, file and line
	Fingerprint string   `yaml:"fingerprint,omitempty"`
	Outcome     string   `yaml:"outcome"`                // docs/reference/exit-codes.md, or "quit"
	NoStart     bool     `yaml:"no_start,omitempty"`     // the target was never started: the build failed, or no connection
	Stops       int      `yaml:"stops"`                  // how many
	Candidates  int      `yaml:"candidates"`             // how many
	Verified    int      `yaml:"verified"`               // how many of them
	Applied     []string `yaml:"applied,omitempty,flow"` // candidates whose change is in the source
	Judged      []string `yaml:"judged,omitempty,flow"`  // how each of these was judged, or "unjudged"
	Judgement   string   `yaml:"judgement,omitempty"`    // of the change applied last, also where it was undone
	Models      []string `yaml:"models,omitempty,flow"`  // that proposed
	Prompts     []string `yaml:"prompts,omitempty,flow"` // prompt profiles
	Seconds     float64  `yaml:"seconds"`                // from start to end
	BuildMs     int64    `yaml:"build_ms"`               // of the first build
	Version     string   `yaml:"pausetui"`               // the version
}

// Summarize is what the head of a session's log says.
func Summarize(s State) FrontMatter {
	f := FrontMatter{
		Session: s.Started.ID, Date: s.Opened.Format(time.RFC3339), Target: oneLine(s.Started.Target()), Args: cleanAll(s.Started.Args),
		Outcome: string(s.Phase), Stops: len(s.Stops), Seconds: round(s.Lasted()),
		BuildMs: s.FirstBuild.Milliseconds(), Version: s.Started.Version,
	}
	if s.Ended != nil {
		f.Outcome, f.NoStart = s.Ended.Outcome, s.Round == 0 && len(s.Stops) == 0
	}
	for _, r := range s.Stops {
		if r.Stop.Crashed() && f.Class == "" {
			f.Class, f.Message, f.Fingerprint = string(r.Stop.Panic.Class), oneLine(r.Stop.Panic.Message), r.Stop.Panic.Fingerprint
			f.Culprit = oneLine(place(s, r.Stop))
		}
		f.Candidates += len(r.Candidates)
		for _, c := range r.Candidates {
			if c.Verified() {
				f.Verified++
			}
		}
	}
	for _, r := range s.Requests {
		f.Models = once(f.Models, sourceName(patch.Source{Provider: r.Asked.Source.Provider, Model: r.Asked.Source.Model, Remote: r.Asked.Source.Remote}))
		f.Prompts = once(f.Prompts, r.Asked.Source.Prompt)
	}
	for _, a := range s.Applied {
		if !a.Undone {
			f.Applied, f.Judged = append(f.Applied, a.Candidate), append(f.Judged, cmp.Or(string(a.Judgement), unjudged))
		}
		f.Judgement = string(a.Judgement)
	}
	return f
}

// unjudged stands where a judgement would.
const unjudged = "unjudged"

// AppliedWords are the fixes in the source, each with its judgement.
func AppliedWords(applied, judged []string) string {
	words := slices.Clone(applied)
	for i, id := range applied {
		words[i] = Called(id)
		if i < len(judged) && judged[i] != unjudged {
			words[i] += " " + judged[i]
		}
	}
	return strings.Join(words, ", ")
}

func (w *story) frontMatter() {
	f := Summarize(w.state)
	text, err := yaml.Marshal(f)
	if err != nil { // no type in it can fail
		text = []byte("session: " + f.Session + "\n")
	}
	w.printf("---\n%s---\n\n", text)
}

func (w *story) title() {
	s := w.state
	name := s.Started.Target()
	for _, r := range s.Stops {
		if r.Stop.Crashed() {
			name = fmt.Sprintf("%s in %s", r.Stop.Panic.Class.Words(), s.Started.Target())
			break
		}
	}
	w.printf("# %s\n\n", name)
}

// Lasted is how long a session was worked on, up to its last event. A clock that was set
// back makes it 0.
func (s State) Lasted() time.Duration { return max(0, s.Last.Sub(s.Opened)-s.Away) }

// place names where a stop's culprit is: "(*Index).Add, index.go:42".
func place(s State, stop debugger.Stop) string {
	f, ok := stop.SelectedFrame()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s, %s:%d", ShortFunction(f.Function), s.Started.Workspace.Rel(f.File), f.Line)
}

// ShortFunction drops the package path from a function's name:
// "example.com/a/b.(*T).M" becomes "(*T).M", "main.load.func1" "load.func1". Long type arguments are left out.
func ShortFunction(full string) string {
	pkg, symbol := debugger.CutFunction(debugger.WrittenFunction(full))
	if symbol == "" {
		return pkg
	}
	return debugger.ShortArguments(symbol)
}

func round(d time.Duration) float64 {
	return float64(d.Round(10*time.Millisecond)) / float64(time.Second)
}

func once(list []string, item string) []string {
	for _, have := range list {
		if have == item {
			return list
		}
	}
	if item == "" {
		return list
	}
	return append(list, item)
}

// story writes the body of the log.
type story struct {
	state   State
	out     bytes.Buffer
	stops   int
	ends    int   // of lines, at the end of what was flushed
	written State // what the story says so far of applied candidates
}
