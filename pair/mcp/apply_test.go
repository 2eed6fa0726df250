package mcp

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
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

// TestAnAgentAppliesNoCodeThatIsNotBuilt: a file for another system is verified with
// the rest of its fix, but nothing is known of it.
func TestAnAgentAppliesNoCodeThatIsNotBuilt(t *testing.T) {
	for status, person := range map[verdict.Status]bool{verdict.Pass: false, verdict.Warn: true} {
		v := verdict.Verdict{Verified: true, Checks: []verdict.Check{{Name: verdict.Build, Status: status, Detail: "not built here, so nothing is known of it: x_windows.go"}}}
		if got := unbuilt(session.CandidateRecord{Verdict: &v}) != ""; got != person {
			t.Errorf("%v: only a person applies it: %v", status, got)
		}
	}
}

func TestAnAgentChangesNoSettingsOfTheRuntime(t *testing.T) {
	const main = "package main\n"
	for after, person := range map[string]bool{main + "// go:debug\n": false, "//go:debug panicnil=1\n" + main: true, "//go:debug x509sha1=0\n" + main: true} {
		c := session.CandidateRecord{Candidate: patch.Candidate{Edits: []patch.Edit{{File: "main.go", Before: main, After: after}}}}
		if got := unproved(c) != ""; got != person {
			t.Errorf("%q: only a person applies it: %v", after, got)
		}
	}
	const off = "/*\n//go:debug panicnil=1\n*/\n" + main
	for before, after := range map[string]string{off: "//go:debug panicnil=1\n" + main, main + "\nconst x = `\n//go:debug panicnil=1\n`\n": "//go:debug panicnil=1\n" + main + "\nconst x = ``\n"} {
		c := session.CandidateRecord{Candidate: patch.Candidate{Edits: []patch.Edit{{File: "main.go", Before: before, After: after}}}}
		if unproved(c) == "" {
			t.Errorf("an agent applies %q after %q", after, before)
		}
	}
}

// A test binary writes files where its flags say, also one that is run as a program.
func TestAnAgentHasNoTestWriteFiles(t *testing.T) {
	for _, c := range []struct {
		arg      string
		ofTest   bool
		ofBinary bool
	}{
		{"-run=X", true, true}, {"-test.v", true, true}, {"plain", true, true}, {"trace", true, true},
		{"-cpuprofile=/x", false, true}, // a program may have one of that name
		{"-test.cpuprofile=/x", false, false}, {"--test.cpuprofile", false, false}, {"-test.outputdir", false, false},
		{"--test.fuzz=FuzzX", false, false}, {"-test.fuzzcachedir=/x", false, false},
	} {
		if got := writesNothing([]string{"-v", c.arg}, true) == nil; got != c.ofTest {
			t.Errorf("%s of a test: %v", c.arg, got)
		}
		if got := writesNothing([]string{"-v", c.arg}, false) == nil; got != c.ofBinary {
			t.Errorf("%s of a binary: %v", c.arg, got)
		}
	}
}
