package verdict

import (
	"fmt"
	"strings"
)

// Behavior is what a candidate changes in what functions answer, as far as they were
// called with inputs before and after it.
type Behavior struct {
	// Status is Warn if answers change that were probably right, Pass if none do, Skip if
	// nothing could be compared, and Detail says what.
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"`
	Tried  int    `json:"tried"` // inputs that were compared
	Same   int    `json:"same"`  // on which both versions answer the same
	// Answers, Supplied, Changed, Errors and Panics count the others by their kinds.
	Answers  int `json:"answers,omitempty"`
	Supplied int `json:"supplied,omitempty"`
	Changed  int `json:"changed,omitempty"`
	Errors   int `json:"errors,omitempty"`
	Panics   int `json:"panics,omitempty"`
	// ErrorsBreak: errors that were probably right are others now.
	ErrorsBreak bool `json:"errorsBreak,omitempty"`
	// Rows are some of these, the most telling ones, that of the stop first.
	Rows []BehaviorRow `json:"rows,omitempty"`
	// Apart says how it differs from other candidates that change the same functions.
	Apart []Apart `json:"apart,omitempty"`
	// Left are changed functions that were not compared, each with the reason.
	Left []string `json:"left,omitempty"`
}

// Short says it in a few words, with a sign where it warns; empty where nothing was
// compared.
func (b Behavior) Short() string {
	if b.Status == Warn {
		return "⚠ " + b.Words()
	}
	return b.Words()
}

// Words are those of Short without a sign.
func (b Behavior) Words() string {
	switch {
	case b.Tried == 0:
		return ""
	case b.Panics > 0:
		return "now panics on " + inputs(b.Panics)
	case b.Changed > 0:
		words := "changes 1 answer"
		if b.Changed > 1 {
			words = fmt.Sprintf("changes %d answers", b.Changed)
		}
		if b.Errors > 0 {
			words += ", another error on " + fmt.Sprint(b.Errors)
		}
		return words
	case b.Errors > 0:
		return "another error on " + inputs(b.Errors)
	case b.Answers > 0:
		return fmt.Sprintf("answers %d more, same on %d", b.Answers, b.Same)
	case b.Supplied > 0:
		return "no longer nil on " + inputs(b.Supplied)
	}
	return "same on " + inputs(b.Same)
}

// Tally says how many inputs were tried, and how many of them agree.
func (b Behavior) Tally() string {
	var parts []string
	for _, k := range []struct {
		n     int
		words string
	}{{b.Same, "%d answered the same"}, {b.Answers, "%d that failed before answer now"}, {b.Supplied, "%d gave nil somewhere and give something now"}, {b.Changed, "%d changed"}, {b.Errors, "%d give another error now"}, {b.Panics, "%d that answered panic now"}} {
		if k.n > 0 {
			parts = append(parts, fmt.Sprintf(k.words, k.n))
		}
	}
	return inputs(b.Tried) + " tried: " + strings.Join(parts, ", ")
}

func inputs(n int) string {
	if n == 1 {
		return "1 input"
	}
	return fmt.Sprintf("%d inputs", n)
}

// The kinds of rows.
const (
	RowAnswers  = "answers"  // it panicked before, or did not return, and answers now
	RowSupplied = "supplied" // it gave nil somewhere, and gives something there now
	RowChanged  = "changed"  // it answered before, and answers differently now
	RowError    = "error"    // it gave an error before, and gives another one now
	RowPanics   = "panics"   // it answered before, and panics now, or does not return
)

// BehaviorRow is an input on which a candidate answers differently.
type BehaviorRow struct {
	Kind     string `json:"kind"` // answers, supplied, changed, error or panics
	Function string `json:"function"`
	Input    string `json:"input"` // the call, as Go source where Source is set
	Before   string `json:"before"`
	After    string `json:"after"`
	Source   bool   `json:"source,omitempty"`
	// Stop: it is the call that the program stopped in. Run: the run had made it.
	Stop bool `json:"stop,omitempty"`
	Run  bool `json:"run,omitempty"`
	// Whole has what does not stand above: long values, and all that a call left. It is nil
	// where that is all.
	Whole *WholeRow `json:"whole,omitempty"`
}

// WholeRow is a row with all that is known of it, a thing a line.
type WholeRow struct {
	Input  string `json:"input"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Apart is the first input on which two candidates answer differently.
type Apart struct {
	From string `json:"from"` // the other candidate
	// Function is called with the input.
	Function string `json:"function,omitempty"`
	Input    string `json:"input,omitempty"` // empty where they agree
	There    string `json:"there,omitempty"` // what the other one answers
	Here     string `json:"here,omitempty"`
	Same     int    `json:"same"` // on how many inputs they agree
}

// Words say it in a line, where the other candidate is called from.
func (a Apart) Words(from string) string {
	if a.Input == "" {
		return fmt.Sprintf("answers as %s on %s", from, inputs(a.Same))
	}
	return a.differs(from, a.Input, answer(a.There), answer(a.Here))
}

// Brief says it in a few words: of long texts, the part in which they differ.
func (a Apart) Brief(from string) string {
	if a.Input == "" {
		return a.Words(from)
	}
	const most = 16 // runes
	input, there, here := a.Input, []rune(answer(a.There)), []rune(answer(a.Here))
	if len([]rune(input)) > most {
		input = a.Function + "(…)"
	}
	common := 0
	for common < min(len(there), len(here)) && there[common] == here[common] {
		common++
	}
	shown := func(text []rune) string {
		from := max(min(common, len(text)-1)-most/3, 0) // with a little of what they have in common
		if from > 0 && len(text) > most {
			text = append([]rune("…"), text[from:]...)
		}
		if len(text) > most {
			text = append(text[:most:most], '…')
		}
		return string(text)
	}
	return a.differs(from, input, shown(there), shown(here))
}

func (a Apart) differs(from, input, there, here string) string {
	return fmt.Sprintf("differs from %s: %s → %s there, %s here", from, input, there, here)
}

// answer is what a call answered, where that goes without saying.
func answer(outcome string) string { return strings.TrimPrefix(outcome, "returns ") }

// Breaks reports whether an input that was answered is not answered as before.
func (r BehaviorRow) Breaks() bool {
	return r.Kind == RowChanged || r.Kind == RowError || r.Kind == RowPanics
}

// Sign is the status whose sign a row has.
func (r BehaviorRow) Sign() Status {
	switch r.Kind {
	case RowChanged, RowError:
		return Warn
	case RowPanics:
		return Fail
	}
	return Pass
}

// Origin says where a call comes from; empty for one that was made up.
func (r BehaviorRow) Origin() string {
	switch {
	case r.Stop:
		return "the stop"
	case r.Run:
		return "of this run"
	}
	return ""
}
