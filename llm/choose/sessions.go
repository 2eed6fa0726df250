package choose

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// RecordsPath is where the records of past sessions are kept for this user.
func RecordsPath() string { return filepath.Join(xdg.StateHome, "pausetui", "records.json") }

// Records are what past sessions showed, by journal, so that a journal is read
// once. Those of other modules are kept too: a model is the same everywhere.
type Records struct {
	Version  int               `json:"version"`
	Journals map[string]Record `json:"journals"` // by absolute path
}

// Record is what one session showed.
type Record struct {
	Size    int64     `json:"size"` // of the journal, in bytes
	Changed time.Time `json:"changed"`
	Counts  []Count   `json:"counts,omitempty"` // none where no model was asked
}

// Count is a tally under its key.
type Count struct {
	Key
	Tally
}

const (
	recordsVersion = 1
	maxRecords     = 64 << 20 // bytes of the file
)

// LoadRecords reads kept records; without a file, or with one of another
// version, there are none: they can be made again.
func LoadRecords(path string) (Records, error) {
	none := Records{Version: recordsVersion, Journals: map[string]Record{}}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, fmt.Errorf("read the records of past sessions: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	var r Records
	if err := json.NewDecoder(io.LimitReader(file, maxRecords)).Decode(&r); err != nil {
		return none, fmt.Errorf("read the records of past sessions %q: %w", path, err)
	}
	if r.Version != recordsVersion || r.Journals == nil {
		return none, nil
	}
	return r, nil
}

// Save keeps the records.
func (r Records) Save(path string) error {
	data, err := json.Marshal(r)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep the records of past sessions: %w", err)
	}
	return nil
}

// Scan reads the journals in a directory that are new or have changed, and
// forgets those that are gone. It reports whether anything is new, and ends early
// with ctx. A journal that cannot be read counts for nothing.
func (r Records) Scan(ctx context.Context, dir string) (changed bool, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return false, fmt.Errorf("read past sessions: %w", err)
	}
	entries, err := session.List(dir)
	if err != nil {
		return false, err
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		if ctx.Err() != nil {
			return changed, ctx.Err()
		}
		there[e.Journal] = true
		info, err := os.Stat(e.Journal)
		known, ok := r.Journals[e.Journal]
		if err != nil || ok && known.Size == info.Size() && known.Changed.Equal(info.ModTime()) {
			continue
		}
		r.Journals[e.Journal] = Record{Size: info.Size(), Changed: info.ModTime(), Counts: count(e.Journal)}
		changed = true
	}
	for path := range r.Journals {
		if filepath.Dir(path) == dir && !there[path] {
			delete(r.Journals, path)
			changed = true
		}
	}
	return changed, nil
}

// Results adds up all records.
func (r Records) Results() Results {
	var sum Results
	for _, j := range r.Journals {
		for _, c := range j.Counts {
			sum.Add(c.Key, c.Tally)
		}
	}
	return sum
}

// counted are the kinds of events that matter here; the others are large.
var counted = []string{"started", "stopped", "asked", "prompted", "answered", "proposed", "agreed", "proved", "decided",
	"applied", "undone", "judged", "reopened"}

// count reads one journal.
func count(path string) []Count {
	file, err := regular.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	kept, prompted := kindsOf(io.LimitReader(file, session.MaxListed))
	if !prompted {
		return nil
	}
	events, _ := session.Read(bytes.NewReader(kept)) // what comes before the damage counts
	return Tallies(session.Fold(session.NewState(), events))
}

// kindsOf keeps the lines of the events that matter, and reports whether a model
// was asked.
func kindsOf(r io.Reader) (kept []byte, prompted bool) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		switch kind := kindOf(line); {
		case kind == "prompted":
			prompted = true
			fallthrough
		case slices.Contains(counted, kind):
			kept = append(kept, line...)
		}
		if err != nil {
			return kept, prompted
		}
	}
}

// kindOf finds the kind of an event's line without decoding it: it is before
// the body.
func kindOf(line []byte) string {
	const mark = `"kind":"`
	at := bytes.Index(line[:min(len(line), 512)], []byte(mark))
	if at < 0 {
		return ""
	}
	rest := line[at+len(mark):]
	end := bytes.IndexByte(rest[:min(len(rest), 64)], '"')
	if end < 0 {
		return ""
	}
	return string(rest[:end])
}

// Tallies counts what the models of a session showed, sorted by key.
func Tallies(s session.State) []Count {
	sums := map[Key]Tally{}
	for i, stop := range s.Stops {
		if !stop.Stop.Crashed() {
			continue
		}
		best := map[Key]*outcome{}
		for _, r := range s.Requests {
			if at := stopOf(s, r); at == i && ofModel(r.Asked.Source) && said(r.Answered) {
				k := keyOf(r.Asked.Source, string(stop.Stop.Panic.Class))
				if best[k] == nil {
					best[k] = &outcome{}
				}
				best[k].add(s, stop, r.Asked)
			}
		}
		for k, o := range best {
			sums[k] = sums[k].plus(o.tally())
		}
	}
	list := make([]Count, 0, len(sums))
	for k, t := range sums {
		list = append(list, Count{k, t})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return strings.Compare(a.Model+"\x00"+a.Prompt+"\x00"+a.Class, b.Model+"\x00"+b.Prompt+"\x00"+b.Class)
	})
	return list
}

// stopOf is the index of the crash that a request was about: the last before it.
func stopOf(s session.State, r session.Request) int {
	at := -1
	for i, stop := range s.Stops {
		if stop.Stop.Crashed() && !stop.At.After(r.At) {
			at = i
		}
	}
	return at
}

func ofModel(s patch.Source) bool {
	return s.Provider != "" && s.Provider != patch.BuiltinProvider && s.Provider != patch.PersonProvider && s.Provider != patch.MemoryProvider
}

func keyOf(s patch.Source, class string) Key {
	return Key{Model: s.Provider + "/" + s.Model, Prompt: s.Prompt, Class: class}
}

// said reports whether a model answered at all: one that could not be reached, or
// was canceled, has shown nothing.
func said(a *session.Answered) bool {
	return a != nil && a.Err != session.Canceled && (a.Tokens > 0 || a.Text != "" || a.Candidates > 0)
}

// outcome is what became of a model's candidates at one stop.
type outcome struct {
	candidates, rejected int
	verified, right      bool
	wrong                bool // one was applied, and the panic came back
}

func (o *outcome) add(s session.State, stop session.StopRecord, asked session.Asked) {
	for _, c := range stop.Candidates {
		if c.Request != asked.Request && !slices.Contains(c.Also, asked.Source) {
			continue
		}
		o.candidates++
		if c.Decision == session.Rejected {
			o.rejected++
			continue
		}
		o.verified = o.verified || c.Verified()
		for _, a := range s.Applied {
			o.right = o.right || a.Candidate == c.ID && a.Judgement == session.Fixed && !a.Undone
			o.wrong = o.wrong || a.Candidate == c.ID && a.Judgement == session.CameBack
		}
	}
}

func (o *outcome) tally() Tally {
	t := Tally{Asked: 1}
	if o.candidates > 0 {
		t.Candidates = 1
		if o.rejected == o.candidates {
			t.Rejected = 1
		}
	}
	if o.verified {
		t.Verified = 1
	}
	switch {
	case o.right:
		t.Right = 1
	case o.verified && !o.wrong:
		t.Open = 1
	}
	return t
}
