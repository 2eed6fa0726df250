package flags

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/session"
)

// parsed are the flags of a command line about fixes.
func parsed(t *testing.T, args string) *Fixes {
	t.Helper()
	var f Fixes
	s := pflag.NewFlagSet("x", pflag.ContinueOnError)
	f.Register(s)
	if err := s.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	return &f
}

// What was said at a session's start holds when it is resumed, but for what is
// said then; what opens the machine to others has to be said again.
func TestAResumedSessionKeepsItsChoice(t *testing.T) {
	zero := func(c session.Choice) session.Choice { c.MaxRounds = nil; return c }
	for name, c := range map[string]struct{ before, now, want string }{
		"offline":             {"--offline", "", "--offline"},
		"a model":             {"--model ollama/a --model ollama/b --prompt p", "", "--model ollama/a --model ollama/b --prompt p"},
		"another model":       {"--offline --max-rounds 0", "--model ollama/c", "--model ollama/c --max-rounds 0"},
		"offline now":         {"--profile fast --commit", "--offline", "--offline --commit"},
		"online now":          {"--offline", "--offline=false", ""},
		"limits":              {"--max-candidates 3 --max-rounds 5", "--max-rounds 1", "--max-candidates 3 --max-rounds 1"},
		"no commits now":      {"--commit", "--commit=false", ""},
		"remote is not kept":  {"--model ollama/a --allow-remote --allow-unsandboxed", "", "--model ollama/a"},
		"nothing was said":    {"", "", ""},
		"the default, spoken": {"--max-rounds 2", "", "--max-rounds 2"},
	} {
		t.Run(name, func(t *testing.T) {
			before, now, want := parsed(t, c.before), parsed(t, c.now), parsed(t, c.want)
			now.Take(before.choice())
			got, wanted := now.choice(), want.choice()
			if !same(zero(got), zero(wanted)) || now.maxRounds != want.maxRounds {
				t.Errorf("%+v (rounds %d), want %+v (rounds %d)", got, now.maxRounds, wanted, want.maxRounds)
			}
			if now.AllowRemote || now.unsandboxed {
				t.Error("what opens the machine was kept")
			}
		})
	}
}

func same(a, b session.Choice) bool {
	return a.Offline == b.Offline && a.Prompt == b.Prompt && a.MaxCandidates == b.MaxCandidates && a.Commit == b.Commit &&
		strings.Join(a.Models, " ") == strings.Join(b.Models, " ") && strings.Join(a.Profiles, " ") == strings.Join(b.Profiles, " ")
}
