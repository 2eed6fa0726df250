package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/printable"
)

// Hooks are commands that run at points of a session, each with the event as
// JSON on standard input: docs/hooks.md. Those of the module's file run only where the
// person has agreed to them.
type Hooks struct {
	Timeout      Duration `toml:"timeout"`       // of each; 10s
	OnStop       []string `toml:"on_stop"`       // at a crash
	BeforeAsk    []string `toml:"before_ask"`    // may add sections to a prompt, or remove some
	BeforeLookup []string `toml:"before_lookup"` // may change or refuse what a model looks at
	AfterLookup  []string `toml:"after_lookup"`  // may change or refuse what a model gets
	AfterAnswer  []string `toml:"after_answer"`  // may drop a candidate
	OnRound      []string `toml:"on_round"`      // after each question to a model
	BeforeApply  []string `toml:"before_apply"`  // may veto a change; one that fails does
	AfterApply   []string `toml:"after_apply"`
	OnJudged     []string `toml:"on_judged"`
	OnEnd        []string `toml:"on_end"`
}

// HookCommand is a command at a point.
type HookCommand struct {
	Point   string        `json:"hook"`
	Command string        `json:"command"`
	Timeout time.Duration `json:"timeout"`
}

// Commands lists the commands, point by point.
func (h Hooks) Commands() []HookCommand {
	var list []HookCommand
	for _, p := range []struct {
		name  string
		lines []string
	}{{"on_stop", h.OnStop}, {"before_ask", h.BeforeAsk}, {"before_lookup", h.BeforeLookup}, {"after_lookup", h.AfterLookup}, {"after_answer", h.AfterAnswer},
		{"on_round", h.OnRound}, {"before_apply", h.BeforeApply}, {"after_apply", h.AfterApply}, {"on_judged", h.OnJudged}, {"on_end", h.OnEnd}} {
		for _, line := range p.lines {
			list = append(list, HookCommand{p.name, line, time.Duration(h.Timeout)})
		}
	}
	return list
}

// hidden returns the point of a command with characters that are not seen in
// print: a person would agree to another command than runs.
func (h Hooks) hidden() (point string) {
	for _, c := range h.Commands() {
		if strings.ContainsFunc(c.Command, func(r rune) bool { return r != '\n' && r != '\t' && printable.Hidden(r) }) || !utf8.ValidString(c.Command) {
			return c.Point
		}
	}
	return ""
}

// Digest names the commands: a consent is to exactly these. Empty without any.
func (h Hooks) Digest() string {
	list := h.Commands()
	if len(list) == 0 {
		return ""
	}
	text, err := json.Marshal(list)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
