package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
)

// History is how a value got where it is, as a run in the sandbox has recorded it.
type History struct {
	Expr  string `json:"expr"`
	Value string `json:"value"` // at the stop
	// Goroutine is the one that stopped; 0 where that is not known.
	Goroutine int64 `json:"goroutine,omitempty"`
	// Paused is the value in the paused program, where it is another one than in the run.
	Paused string       `json:"paused,omitempty"`
	Rows   []HistoryRow `json:"rows"` // the newest first
	// Origin is the index in Rows of the event that gave the value, followed through calls
	// and copies; -1 without one.
	Origin int `json:"origin"`
	// Gaps are what the run cannot have seen, in sentences without a period.
	Gaps []string `json:"gaps,omitempty"`
	// OtherRun says how the run in the sandbox differs from the one that is paused, if it
	// does: the rows are of that run. A sentence without a period.
	OtherRun string `json:"other_run,omitempty"`
	// Copied: the origin has the value from elsewhere, where nothing was recorded.
	Copied bool `json:"copied,omitempty"`
}

// HistoryRow is an event in the history of a value.
type HistoryRow struct {
	Kind      string        `json:"kind"`            // "set", "zero", "made", "left", "given", "passed", or that of a use
	Level     int           `json:"level"`           // 0: of the value itself; more: of what it was taken from
	Value     string        `json:"value"`           // from then on; empty for a use
	Text      string        `json:"text"`            // of the statement, in one line
	Field     string        `json:"field,omitempty"` // that is left out; the variable that is declared
	By        string        `json:"by,omitempty"`    // what of another package has given the value: "strconv.Atoi()", "os.Args"
	Function  string        `json:"function,omitempty"`
	File      string        `json:"file"` // relative to the module root
	Path      string        `json:"-"`    // the same, absolute; empty in records
	Line      int           `json:"line"`
	Goroutine int64         `json:"goroutine"`
	Before    time.Duration `json:"before"`            // the stop, in nanoseconds
	Late      bool          `json:"late,omitempty"`    // Before is before the last event: when it stopped is not known
	Skipped   int           `json:"skipped,omitempty"` // how many earlier changes are not known
	Times     int           `json:"times,omitempty"`   // how many uses the row stands for; 0 where it was not counted
	Missing   bool          `json:"missing,omitempty"` // it was read from an entry that the map did not have
	Scope     [2]int        `json:"-"`                 // of the function around the statement: its line, and in how many it is
	Begun     uint64        `json:"-"`                 // the steps of the run that had begun, where they were counted
	Each      bool          `json:"-"`                 // of a loop's head: in each round, between its statements
}

// uses are the kinds of rows that tell what was done with a channel, a lock, a group or a map.
var uses = map[string]string{
	"sent": "last sent on by", "received": "received from by", "closed": "closed by", "locked": "locked by", "unlocked": "unlocked by",
	"added": "added to by", "done": "last counted down by", "waited": "waited for by", "accessed": "also used by", "written": "also written by",
}

// Done reports whether the row was recorded after its statement had done it; the others are
// before.
func (r HistoryRow) Done() bool {
	switch r.Kind {
	case "set", "zero", "made", "left", "given", "received", "locked", "waited":
		return true
	}
	return false
}

// Used reports whether the row tells what was done with the value; then its Kind is the word
// for it.
func (r HistoryRow) Used() bool { return uses[r.Kind] != "" }

// Sentence says where the value came from: "p.conn is nil: (*Pool).reap set it to nil
// (pool.go:88)". It has no reason where the run has shown none.
func (h History) Sentence() string {
	if h.OtherRun != "" {
		return "in another run, " + h.sentence()
	}
	return h.sentence()
}

func (h History) sentence() string {
	said := fmt.Sprintf("%s is %s", h.Expr, h.Value)
	if h.Paused != "" {
		said = fmt.Sprintf("%s is %s here, and %s in the run in the sandbox", h.Expr, h.Paused, h.Value)
	}
	if h.Origin < 0 || h.Origin >= len(h.Rows) {
		return said
	}
	r := h.Rows[h.Origin]
	if words := uses[r.Kind]; words != "" {
		return fmt.Sprintf("%s was %s %s (%s)", h.Expr, words, r.who(), h.where(r))
	}
	did := r.did(h.Value)
	switch {
	case r.Missing:
		did = fmt.Sprintf("the map had no such entry: %s in %s", r.Text, r.who())
	case r.By != "" && r.Kind == "passed":
		did = fmt.Sprintf("%s, from %s", did, r.By)
	case r.By != "":
		did = fmt.Sprintf("%s has it from %s", r.who(), r.By)
	case h.Copied && r.Kind == "set":
		did = fmt.Sprintf("%s in %s takes it from elsewhere", r.Text, r.who())
	}
	if dot := strings.LastIndexByte(h.Expr, '.'); r.Kind == "left" && r.Level == 0 && dot > 0 {
		did = fmt.Sprintf("%s made %s without %s", r.who(), h.Expr[:dot], h.Expr[dot+1:])
	}
	return fmt.Sprintf("%s: %s (%s)", said, did, h.where(r))
}

// Tells reports whether the run has shown where an absent value came from, who closed a
// channel, or who holds a lock.
func (h History) Tells() bool {
	if h.Origin < 0 || h.Origin >= len(h.Rows) || len(h.Gaps) > 0 || h.OtherRun != "" || h.Copied || h.Paused != "" || h.Rows[h.Origin].By != "" {
		return false
	}
	kind := h.Rows[h.Origin].Kind
	return kind == "closed" || kind == "locked" || kind == "unlocked" || (h.Value == "nil" || h.Value == "absent") && kind != "given"
}

// ofLock reports whether the history ends with who locked or unlocked a lock.
func (h History) ofLock() bool {
	if h.Origin < 0 || h.Origin >= len(h.Rows) {
		return false
	}
	kind := h.Rows[h.Origin].Kind
	return kind == "locked" || kind == "unlocked"
}

func (r HistoryRow) who() string { return cmp.Or(r.Function, "the package") }

// did says what happened. now is the value at the stop: what is in a list, a map or a struct
// may have changed since.
func (r HistoryRow) did(now string) string {
	who, value := r.who(), r.Value
	if value == "" || r.Level == 0 && value != now || strings.Contains(value, " of ") { // said before
		value = "it"
	}
	switch {
	case r.Kind == "left" && r.Level > 0 && r.Field == "": // of an older version
		return fmt.Sprintf("it was copied from a field that %s left out", who)
	case r.Kind == "left" && r.Level > 0:
		return fmt.Sprintf("it was copied from the field %s, which %s left out", r.Field, who)
	case r.Kind == "left":
		return who + " made the struct without it"
	case r.Kind == "made":
		return fmt.Sprintf("%s made it so: %s", who, r.Text)
	case r.Kind == "zero":
		return fmt.Sprintf("%s declares %s without a value", who, cmp.Or(r.Field, declared(r.Text)))
	case r.Kind == "given":
		return who + " was called with it"
	case r.Kind == "passed" && strings.HasPrefix(r.Text, "return"):
		return fmt.Sprintf("%s returned %s", who, value)
	case r.Kind == "passed":
		return fmt.Sprintf("%s passed %s", who, value)
	case r.Level > 0:
		return fmt.Sprintf("%s in %s", r.Text, who)
	}
	if value == "it" {
		return who + " set it"
	}
	return fmt.Sprintf("%s set it to %s", who, value)
}

// declared is what a declaration declares: the variable, or a result.
func declared(text string) string {
	if strings.HasPrefix(text, "func") {
		return "its result"
	}
	name, _, _ := strings.Cut(text, " ")
	return name
}

// where is the place of a row. Times and the numbers of goroutines are those of the run in the
// sandbox: in a sentence about the stop they would be taken for the stop's.
func (h History) where(r HistoryRow) string {
	words := fmt.Sprintf("%s:%d", r.File, r.Line)
	if h.elsewhere(r) {
		words += ", in another goroutine"
	}
	return words
}

// elsewhere reports whether a row is known to be of another goroutine than the one that stopped.
func (h History) elsewhere(r HistoryRow) bool { return h.Goroutine != 0 && r.Goroutine != h.Goroutine }

// Foreign reports whether a row's goroutine is worth telling: it is another than the one that
// stopped or, where that is not known, than that of the newest row.
func (h History) Foreign(r HistoryRow) bool {
	return h.elsewhere(r) || h.Goroutine == 0 && r.Goroutine != h.Rows[0].Goroutine
}

// Result is the value from a row on, or what was done with it: "nil", "left out", "closed".
func (r HistoryRow) Result() string {
	switch {
	case r.Kind == "left":
		return "left out"
	case r.Used() && r.Times > 1:
		return fmt.Sprintf("%s ×%d", r.Kind, r.Times)
	case r.Used():
		return r.Kind
	}
	return r.Value
}

// Listing is a line for each row, the newest first: where, the statement, the value from then
// on, who, when. The origin is marked.
func (h History) Listing() string {
	var b strings.Builder
	for i, r := range h.Rows {
		mark := "  "
		if i == h.Origin {
			mark = "▸ "
		}
		fmt.Fprintf(&b, "%s%s:%d  %s%s  [%s] in %s", mark, r.File, r.Line, strings.Repeat("  ", r.Level), r.Text, r.Result(), r.who())
		if h.Foreign(r) {
			fmt.Fprintf(&b, ", goroutine %d", r.Goroutine)
		}
		fmt.Fprintf(&b, ", %s\n", r.When())
		if r.Skipped > 0 {
			fmt.Fprintf(&b, "  … %d earlier changes are not kept\n", r.Skipped)
		}
	}
	return b.String()
}

// When is how long before the stop it happened, or before the last event.
func (r HistoryRow) When() string {
	if !r.Late {
		return r.Ago() + " before"
	}
	if r.Before <= 0 {
		return "the last event"
	}
	return r.Ago() + " before the last event"
}

// Ago is how long before the stop, or the last event, it happened.
func (r HistoryRow) Ago() string {
	if r.Before >= time.Second {
		return printable.Duration(r.Before)
	}
	words := max(r.Before, 0).Round(precision(r.Before)).String()
	unit := strings.TrimLeft(words, ".0123456789")
	return strings.TrimSuffix(words, unit) + " " + unit
}

// precision is what a duration is rounded to, for two or three digits.
func precision(d time.Duration) time.Duration {
	p := time.Duration(1)
	for d >= 1000*p {
		p *= 10
	}
	return p
}

// WithoutValues is the history for whom its values are not meant: of each is left what kind of
// thing it is. Nothing hides a secret that is written in the middle of a struct.
func (h History) WithoutValues() History { return h.with(kindOf) }

// Untold is a history that tells of its values no more than which are nil.
func (h History) Untold() History {
	return h.with(func(value string) string {
		if value == "" || value == "nil" || value == "absent" {
			return value
		}
		return someValue
	})
}

func (h History) with(shown func(value string) string) History {
	h.Value, h.Paused, h.Rows = shown(h.Value), shown(h.Paused), slices.Clone(h.Rows)
	for i := range h.Rows {
		h.Rows[i].Value = shown(h.Rows[i].Value)
	}
	return h
}

// someValue stands for one that is not shown.
const someValue = "a value"

var (
	countOf    = lazyregexp.New(`^[^"{}=]* of \d+`)
	structOf   = lazyregexp.New(`^[\pL_][\pL\pN_.]*`)
	fewDigits  = lazyregexp.New(`^-?\d{1,6}$`)
	plainValue = []string{"", "nil", "absent", "true", "false"}
)

// kindOf is a value as far as it holds no text: nil, a number of few digits, how many
// elements it has, or its type.
func kindOf(value string) string {
	if slices.Contains(plainValue, value) || strings.HasPrefix(value, "*") && strings.HasSuffix(value, " nil") || strings.HasPrefix(value, "a *") || fewDigits.MatchString(value) {
		return value
	}
	if open := strings.IndexByte(value, '{'); open > 0 && strings.HasSuffix(value, "}") {
		if name := structOf.FindString(value); name != "" {
			return "a " + name
		}
	}
	if count := countOf.FindString(value); count != "" {
		return count
	}
	return someValue
}
