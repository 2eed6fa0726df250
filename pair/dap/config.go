package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
)

// The requests that begin a session.
const (
	Launch = "launch"
	Attach = "attach"
)

// Config is what an editor begins with: the attributes of a launch or attach
// configuration of dlv dap that mean something here, and our own. Unknown ones
// are ignored, because editors add theirs.
type Config struct {
	Request string `json:"-"` // Launch or Attach

	Mode         string             `json:"mode"`         // debug, test, exec or core; local or remote of Attach
	Program      string             `json:"program"`      // a directory, a Go file in it, or a binary
	Args         []string           `json:"args"`         // of the program
	Cwd          string             `json:"cwd"`          // of the program; that of its package when empty
	DlvCwd       string             `json:"dlvCwd"`       // what relative paths and the go command start from
	Env          map[string]*string `json:"env"`          // nil unsets a variable
	BuildFlags   Words              `json:"buildFlags"`   // of go build
	CoreFilePath string             `json:"coreFilePath"` // of mode core
	StdinFrom    string             `json:"stdinFrom"`
	StopOnEntry  bool               `json:"stopOnEntry"`
	NoDebug      bool               `json:"noDebug"`
	ProcessID    int                `json:"processId"` // of Attach
	Backend      string             `json:"backend"`   // "rr" records, so that the program can run backwards

	HideSystemGoroutines bool         `json:"hideSystemGoroutines"`
	GoroutineFilters     string       `json:"goroutineFilters"` // as the command goroutines takes them
	ShowGlobalVariables  bool         `json:"showGlobalVariables"`
	StackTraceDepth      int          `json:"stackTraceDepth"` // frames at a time; page when 0
	SubstitutePath       []Substitute `json:"substitutePath"`

	Panics string `json:"panics"` // as --panics
	Repro  string `json:"repro"`  // as --repro
}

// Words are arguments, given as a list or as one text.
type Words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *Words) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(b, (*[]string)(w))
}

// Substitute says that the directory that the editor calls From is To for the debugger.
type Substitute struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// configOf reads the arguments of a request that begins a session.
func configOf(request string, arguments json.RawMessage) (Config, error) {
	c := Config{Request: request}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &c); err != nil {
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) {
				err = fmt.Errorf("%q cannot be a %s", wrong.Field, wrong.Value)
			}
			return c, fmt.Errorf("%s configuration: %w", request, err)
		}
	}
	if c.Panics != "" {
		if _, err := debugger.ParsePanicMode(c.Panics); err != nil {
			return c, fmt.Errorf("%s configuration: panics: %w", request, err)
		}
	}
	if _, err := console.GoroutineFilters(c.GoroutineFilters); err != nil {
		return c, fmt.Errorf("%s configuration: goroutineFilters: %w", request, err)
	}
	return c, nil
}

// theirs is the path of a file as the editor knows it.
func (c Config) theirs(path string) string {
	for _, s := range c.SubstitutePath {
		if rest, ok := below(path, s.To); ok {
			return s.From + rest
		}
	}
	return path
}

// ours is the path of a file that the editor names.
func (c Config) ours(path string) string {
	for _, s := range c.SubstitutePath {
		if rest, ok := below(path, s.From); ok {
			return s.To + rest
		}
	}
	return filepath.Clean(path)
}

// below is what of a path comes after a directory.
func below(path, dir string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, strings.TrimRight(dir, `/\`))
	return rest, ok && dir != "" && (rest == "" || strings.ContainsAny(rest[:1], `/\`))
}
