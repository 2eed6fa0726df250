package engine

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Memory repeats what was proposed before: it takes no warning away.
func TestMemoryRemovesNoCaution(t *testing.T) {
	first := func(model string) patch.Source {
		return patch.Source{Provider: "memory", Model: "memory/1", First: model}
	}
	model, person := patch.Source{Provider: "ollama", Model: "qwen"}, patch.Source{Provider: "person"}
	for name, tt := range map[string]struct {
		by   patch.Source
		also []patch.Source
		want bool
	}{
		"the built-in fixer":                     {loop.BuiltinSource, nil, true},
		"a remembered fix of the built-in fixer": {first(loop.BuiltinSource.Model), nil, true},
		"both":                                   {loop.BuiltinSource, []patch.Source{first(loop.BuiltinSource.Model)}, true},
		"the built-in fixer and what is remembered of a model": {loop.BuiltinSource, []patch.Source{first("qwen")}, true},
		"a remembered fix of a model":                          {first("qwen"), nil, false},
		"a model":                                              {model, nil, false},
		"the built-in fixer and a model":                       {loop.BuiltinSource, []patch.Source{model}, false},
		"a remembered fix of the built-in fixer, and a person": {first(loop.BuiltinSource.Model), []patch.Source{person}, false},
	} {
		pr := &proofs{Loop: looptest.New(t, options.Session{})}
		pr.Opts.Fixes.Models.Caution = func(_, model string) string {
			return map[string]string{loop.BuiltinSource.Model: "often wrong"}[model]
		}
		pr.Append(session.EngineActor, &session.Stopped{Stop: debugger.Stop{Panic: &debugger.Panic{Class: debugger.NilDereference}}})
		pr.Append(session.EngineActor, &session.Proposed{Candidate: patch.Candidate{ID: "c1", Source: tt.by}})
		for _, also := range tt.also {
			pr.Append(session.EngineActor, &session.Agreed{Candidate: "c1", Source: also})
		}
		if got := pr.caution("c1", verdict.Verdict{Verified: true}); (got != "") != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAFixThatATestOpposesDidNotHelp(t *testing.T) {
	for _, tt := range []struct {
		check verdict.Check
		want  bool
	}{
		{verdict.Check{Name: verdict.Tests, Status: verdict.Pass}, false},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Skip}, false},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Fail}, true},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Warn, Detail: "39 tests; fail without the panic now: TestCompliance"}, true},
		{verdict.Check{Name: verdict.Rerun, Status: verdict.Warn}, false},
		{verdict.Check{Name: verdict.Vet, Status: verdict.Fail}, true},
	} {
		if got := opposed(session.CandidateRecord{Checks: []verdict.Check{tt.check}}); got != tt.want {
			t.Errorf("%s %s: %t, want %t", tt.check.Name, tt.check.Status, got, tt.want)
		}
	}
}

// TestMemoryKeyNamesTheBlock: a fix of one block is not offered for another.
func TestMemoryKeyNamesTheBlock(t *testing.T) {
	stop := debugger.Stop{Panic: &debugger.Panic{Fingerprint: "f1"}}
	if key := memoryKey(stop); key != "f1" {
		t.Errorf("without a block: %q", key)
	}
	keys := map[string]bool{"f1": true}
	for _, stop := range []debugger.Stop{
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/parse", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f2"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
	} {
		key := memoryKey(stop)
		if keys[key] {
			t.Errorf("%q is the key of two stops", key)
		}
		keys[key] = true
		stop.Block.Intent = "said in other words"
		if memoryKey(stop) != key {
			t.Errorf("%q depends on the intent", key)
		}
	}
}
