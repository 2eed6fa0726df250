package matrix

// Flags are what holds of a cell. Those that begin with Own are about the
// candidates of the column's proposer: the model, or the built-in fixer in its
// own column. The others are about what a person would see, by any proposer.
type Flags uint32

// The flags; their numbers are part of the files.
const (
	Class           Flags = 1 << iota // the stop was classified right
	Culprit                           // in the right function
	Right                             // some candidate is right
	RightFirst                        // the first candidate is
	Verified                          // the first candidate is verified, and not masking
	Misleads                          // it is verified, wrong, and nothing warns
	Tested                            // it has a regression test
	Evident                           // something besides the run speaks for it
	Calm                              // nothing is verified without a warning: right where no edit helps
	Failed                            // pausetui itself failed
	OwnUsable                         // an answer could be used
	OwnScope                          // a candidate stays in the user's modules
	OwnBuilds                         // … and builds
	OwnReruns                         // … and the program runs past the place of the stop
	OwnTests                          // … and no test fails that passed before
	OwnVerified                       // … and the verdict is verified
	OwnRight                          // a candidate is right
	OwnRightAtOnce                    // … of the first round
	OwnFirst                          // the right candidate that stands first is the proposer's
	OwnMasks                          // its best candidate only skips work or hides the failure
	OwnDeclines                       // its best candidate declines the input
	NothingProposed                   // there is no candidate at all
	ByBuiltin                         // the built-in fixer alone proposed the first candidate
)

// FlagNames are the flags in their order, as exports name them.
var FlagNames = []string{"class", "culprit", "right", "right_first", "verified", "misleads", "tested", "evident", "calm", "failed",
	"own_usable", "own_scope", "own_builds", "own_reruns", "own_tests", "own_verified", "own_right", "own_right_at_once", "own_first",
	"own_masks", "own_declines", "nothing_proposed", "by_builtin"}

// Is reports whether all of some flags hold.
func (f Flags) Is(of Flags) bool { return f&of == of }

// Set returns the flags with some more, if they hold.
func (f Flags) Set(of Flags, holds bool) Flags {
	if holds {
		f |= of
	}
	return f
}

// Names lists the flags that hold.
func (f Flags) Names() []string {
	list := []string{}
	for i, name := range FlagNames {
		if f&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// Labels count right candidates by what their labels say.
type Labels struct {
	Hides    int `json:"hides,omitempty"`
	Skips    int `json:"skips,omitempty"`
	Declines int `json:"declines,omitempty"`
	Asks     int `json:"asks,omitempty"` // of all: those that warn or ask
	All      int `json:"all,omitempty"`
}

// Plus adds counts.
func (l Labels) Plus(o Labels) Labels {
	return Labels{l.Hides + o.Hides, l.Skips + o.Skips, l.Declines + o.Declines, l.Asks + o.Asks, l.All + o.All}
}

// Compared counts candidates whose behavior was compared, by whether the hidden check
// finds them right; Warned are those of which the comparison warns.
type Compared struct {
	Right       int `json:"right,omitempty"`
	RightWarned int `json:"right_warned,omitempty"`
	Wrong       int `json:"wrong,omitempty"`
	WrongWarned int `json:"wrong_warned,omitempty"`
}

// Plus adds counts.
func (c Compared) Plus(o Compared) Compared {
	return Compared{c.Right + o.Right, c.RightWarned + o.RightWarned, c.Wrong + o.Wrong, c.WrongWarned + o.WrongWarned}
}

// Result is what was found out about a cell. Times are of the model's own
// answers, as they were when they were given, also where an answer is scored
// again.
type Result struct {
	Cell
	Flags  Flags  `json:"flags"`
	Effect string `json:"effect,omitempty"` // of the first candidate: repairs, declines, skips, hides, masking, not verified

	Model   Labels `json:"model_labels,omitzero"` // of right candidates of the model
	Builtin Labels `json:"builtin_labels,omitzero"`

	Compared Compared `json:"compared,omitzero"`

	Edit         int    `json:"edit,omitempty"` // lines of the proposer's best candidate
	Requests     int    `json:"requests,omitempty"`
	Rounds       int    `json:"rounds,omitempty"`
	Lookups      int    `json:"lookups,omitempty"`
	PromptTokens int    `json:"prompt_tokens,omitempty"`
	Tokens       int    `json:"tokens,omitempty"`
	Cost         int64  `json:"cost,omitempty"` // millionths of the configured currency
	FirstToken   int64  `json:"first_token_ms,omitempty"`
	Answering    int64  `json:"answering_ms,omitempty"` // of the model, all requests
	Verifying    int64  `json:"verified_ms,omitempty"`  // from the stop to the first verified candidate
	Total        int64  `json:"total_ms,omitempty"`     // of the whole cell
	Overhead     int64  `json:"overhead_us,omitempty"`  // of the benchmark itself
	Drifted      int    `json:"drifted,omitempty"`      // stored answers that were given to another prompt
	Used         string `json:"used,omitempty"`         // the prompt that auto chose
	Answer       string `json:"answer,omitempty"`       // what kind of answer a scripted model gave
}

// Candidate is a proposed fix as it is kept for drilling down.
type Candidate struct {
	ID       string   `json:"id"`
	By       []string `json:"by"` // PROVIDER/NAME
	Own      bool     `json:"own"`
	Round    int      `json:"round,omitempty"`
	Rule     string   `json:"rule,omitempty"` // of the built-in fixer
	Title    string   `json:"title"`
	Effect   string   `json:"effect,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
	Verified bool     `json:"verified"`
	Masking  bool     `json:"masking,omitempty"`
	Test     bool     `json:"test,omitempty"`
	Checks   []Check  `json:"checks"`
	Lines    int      `json:"lines"`
	Diff     string   `json:"diff"`
	Behavior string   `json:"behavior,omitempty"` // pass, warn or skip, and what it changes
	Changes  string   `json:"changes,omitempty"`
	Right    bool     `json:"right"`
	Wrong    string   `json:"wrong,omitempty"` // what the hidden check found
}

// Check is one check of a candidate.
type Check struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// Question is one request to a model.
type Question struct {
	Prompt string `json:"prompt"`
	Used   string `json:"used,omitempty"` // the prompt that auto chose
	Answer string `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Detail is what a report shows of one cell.
type Detail struct {
	Cell
	Name       string      `json:"name"`              // of the case
	Answers    []string    `json:"answers,omitempty"` // keys of the stored answers, in order
	Candidates []Candidate `json:"candidates,omitempty"`
	Failed     string      `json:"failed,omitempty"` // why pausetui failed
	Notices    []string    `json:"notices,omitempty"`
}

// Trouble is why a cell has no result: a provider's error, or a case that could
// not be judged.
type Trouble struct {
	Cell
	Err string `json:"err"`
}
