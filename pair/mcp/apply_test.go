package mcp

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// An agent that may apply verified fixes applies what the proof is about: nothing
// that make, a shell or a hook of the module runs later, outside of a sandbox.
func TestAnAgentAppliesCodeOnly(t *testing.T) {
	for file, person := range map[string]bool{"main.go": false, "api/api_test.go": false, "Makefile": true, "scripts/house-rules.sh": true, "go.mod": true, "x.go.sh": true, "a.s": true} {
		c := session.CandidateRecord{Candidate: patch.Candidate{Edits: []patch.Edit{{File: "ok.go"}, {File: file}}}}
		if got := unproved(c) != ""; got != person {
			t.Errorf("%s: only a person applies it: %v", file, got)
		}
	}
}
