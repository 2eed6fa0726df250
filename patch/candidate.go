// Package patch holds candidate edits as values: splicing whole functions into
// a file, hunks, diffs, and applying and undoing them on disk.
//
// Transformations return new values. Only Apply and Undo (apply.go) touch the
// disk. The package knows nothing of models, debuggers or screens.
package patch

// The providers that are no servers of models, and the model of the built-in fixer. The
// model of a remembered fix is the provider, a slash and the fix's id.
const (
	BuiltinProvider = "builtin"
	PersonProvider  = "person"
	MemoryProvider  = "memory"
	BuiltinModel    = "builtin/rules"
)

// Source says who proposed a candidate.
type Source struct {
	Provider string `json:"provider"`         // "builtin", "ollama", "person"
	Model    string `json:"model"`            // "builtin/rules", "qwen3-coder:30b"
	Prompt   string `json:"prompt,omitempty"` // name of the prompt profile
	Remote   bool   `json:"remote,omitempty"` // the model runs on another machine
	First    string `json:"first,omitempty"`  // the model that proposed a remembered fix first
}

// Who names the proposer for people: a model by its name, which is not sanitized.
func (s Source) Who() string {
	switch s.Provider {
	case BuiltinProvider:
		return "the built-in fixer"
	case PersonProvider:
		return "a person"
	case MemoryProvider:
		return "memory"
	}
	return s.Model
}

// BuiltIn reports whether the built-in fixer made the fix, now or when it was remembered.
func (s Source) BuiltIn() bool { return s.Provider == BuiltinProvider || s.First == BuiltinModel }

// Agrees reports whether a source that proposes what the built-in fixer proposes is a second
// opinion: memory repeats what was proposed before.
func (s Source) Agrees() bool { return !s.BuiltIn() && !s.Remembered() }

// Remembered reports whether the fix helped before, maybe in another repository.
func (s Source) Remembered() bool { return s.Provider == MemoryProvider }

// Candidate is one proposed fix.
type Candidate struct {
	ID     string `json:"id"` // "c1", unique in a session; set by the engine
	Source Source `json:"source"`
	// Rule names the rule of the built-in fixer that offers it, such as "bound/for-bound".
	Rule        string `json:"rule,omitempty"`
	Title       string `json:"title"`       // one line, imperative: "create terms in NewIndex"
	Explanation string `json:"explanation"` // a few sentences: which value is bad, where it came from, what the edit does
	Edits       []Edit `json:"edits"`
	// Confidence compares what is offered for one stop: above 0 where the edit
	// fixes the origin of the bad value, below 0 where the statement merely copes
	// with it, 0 when the proposer does not say.
	Confidence int `json:"confidence,omitempty"`
	// Parent is the candidate that this one was made from by editing it or by
	// leaving hunks out; empty for a fresh one.
	Parent   string   `json:"parent,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // found while splicing: a changed signature, unrelated edits
}

// Edit is the change of one file, as whole contents.
type Edit struct {
	File   string `json:"file"` // relative to the module root, with slashes
	Before string `json:"before"`
	After  string `json:"after"`
	// Create: the file does not exist before.
	Create bool `json:"create,omitempty"`
}

// Files lists the files of the edits, in order.
func (c Candidate) Files() []string {
	files := make([]string, len(c.Edits))
	for i, e := range c.Edits {
		files[i] = e.File
	}
	return files
}
