package session

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/internal/printable"
)

// kinds maps the name of each kind of event to a maker of its empty body.
var kinds = map[string]func() Body{}

func init() {
	for _, blank := range []func() Body{
		func() Body { return &Started{} }, func() Body { return &BuildStarted{} },
		func() Body { return &BuildFinished{} }, func() Body { return &BuildFailed{} },
		func() Body { return &LaunchFailed{} }, func() Body { return &Launched{} }, func() Body { return &Resumed{} },
		func() Body { return &Input{} }, func() Body { return &OutputKept{} },
		func() Body { return &ReproStarted{} }, func() Body { return &ReproEnded{} },
		func() Body { return &TestsMade{} }, func() Body { return &Allowed{} }, func() Body { return &Consented{} },
		func() Body { return &Stopped{} }, func() Body { return &Diagnosed{} },
		func() Body { return &Muted{} }, func() Body { return &Unmuted{} }, func() Body { return &BreakpointSet{} }, func() Body { return &BreakpointCleared{} },
		func() Body { return &TracepointHit{} }, func() Body { return &Jumped{} },
		func() Body { return &Evaluated{} }, func() Body { return &Displayed{} }, func() Body { return &ArgumentsSet{} }, func() Body { return &Asked{} },
		func() Body { return &Prompted{} }, func() Body { return &Answered{} }, func() Body { return &Proposed{} },
		func() Body { return &Agreed{} },
		func() Body { return &Checked{} }, func() Body { return &Proved{} }, func() Body { return &Compared{} }, func() Body { return &Asserted{} },
		func() Body { return &Decided{} }, func() Body { return &Applying{} },
		func() Body { return &Applied{} }, func() Body { return &Undone{} },
		func() Body { return &ApplyFailed{} }, func() Body { return &Judged{} },
		func() Body { return &Committed{} }, func() Body { return &CommitFailed{} }, func() Body { return &Reopened{} },
		func() Body { return &Probed{} }, func() Body { return &Questioned{} }, func() Body { return &Replied{} },
		func() Body { return &Seen{} }, func() Body { return &SourcesKept{} },
		func() Body { return &HookRan{} },
		func() Body { return &Notice{} }, func() Body { return &Ended{} },
	} {
		kinds[blank().Kind()] = blank
	}
}

// Blanks returns an empty body of each kind, in the order of their names.
func Blanks() []Body {
	var list []Body
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, kinds[name]())
	}
	return list
}

// Kind names the event in the journal.
func (*Seen) Kind() string { return "seen" }

// Kind names the event in the journal.
func (*SourcesKept) Kind() string { return "sources-kept" }

// Kind names the event in the journal.
func (*Started) Kind() string           { return "started" }
func (*BuildStarted) Kind() string      { return "build-started" }
func (*BuildFinished) Kind() string     { return "build-finished" }
func (*BuildFailed) Kind() string       { return "build-failed" }
func (*LaunchFailed) Kind() string      { return "launch-failed" }
func (*Launched) Kind() string          { return "launched" }
func (*Resumed) Kind() string           { return "resumed" }
func (*Input) Kind() string             { return "input" }
func (*ReproStarted) Kind() string      { return "repro-started" }
func (*ReproEnded) Kind() string        { return "repro-ended" }
func (*OutputKept) Kind() string        { return "output" }
func (*Stopped) Kind() string           { return "stopped" }
func (*Diagnosed) Kind() string         { return "diagnosed" }
func (*TestsMade) Kind() string         { return "tests-made" }
func (*Allowed) Kind() string           { return "allowed" }
func (*Consented) Kind() string         { return "consented" }
func (*BreakpointSet) Kind() string     { return "breakpoint-set" }
func (*BreakpointCleared) Kind() string { return "breakpoint-cleared" }
func (*TracepointHit) Kind() string     { return "tracepoint-hit" }
func (*Jumped) Kind() string            { return "jumped" }
func (*Evaluated) Kind() string         { return "evaluated" }
func (*ArgumentsSet) Kind() string      { return "arguments-set" }
func (*Displayed) Kind() string         { return "displayed" }
func (*Muted) Kind() string             { return "muted" }
func (*Unmuted) Kind() string           { return "unmuted" }
func (*Asked) Kind() string             { return "asked" }
func (*Prompted) Kind() string          { return "prompted" }
func (*Answered) Kind() string          { return "answered" }
func (*Proposed) Kind() string          { return "proposed" }
func (*Agreed) Kind() string            { return "agreed" }
func (*Checked) Kind() string           { return "checked" }
func (*Proved) Kind() string            { return "proved" }
func (*Compared) Kind() string          { return "compared" }
func (*Asserted) Kind() string          { return "asserted" }
func (*Decided) Kind() string           { return "decided" }
func (*Applying) Kind() string          { return "applying" }
func (*Applied) Kind() string           { return "applied" }
func (*Undone) Kind() string            { return "undone" }
func (*ApplyFailed) Kind() string       { return "apply-failed" }
func (*Judged) Kind() string            { return "judged" }
func (*Committed) Kind() string         { return "committed" }
func (*CommitFailed) Kind() string      { return "commit-failed" }
func (*Reopened) Kind() string          { return "reopened" }
func (*HookRan) Kind() string           { return "hook" }
func (*Notice) Kind() string            { return "notice" }
func (*Ended) Kind() string             { return "ended" }

// Kind returns the name the journal gave.
func (u *Unknown) Kind() string { return u.Name }

// MarshalJSON returns the body as it was read.
func (u *Unknown) MarshalJSON() ([]byte, error) {
	if len(u.Raw) == 0 {
		return []byte("null"), nil
	}
	return u.Raw, nil
}

// decodeBody reads the body of a kind; unknown kinds, and known ones whose body
// does not fit, are kept as Unknown.
func decodeBody(kind string, raw json.RawMessage) Body {
	blank, ok := kinds[kind]
	if !ok || len(raw) == 0 || string(raw) == "null" {
		return &Unknown{Name: kind, Raw: append([]byte(nil), raw...)}
	}
	body := blank()
	if err := json.Unmarshal(raw, body); err != nil {
		return &Unknown{Name: kind, Raw: append([]byte(nil), raw...)}
	}
	printable.FoldNames(body, raw)
	return body
}
