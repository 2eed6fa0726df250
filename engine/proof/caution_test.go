package proof

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
		pr := &Proofs{Loop: looptest.New(t, options.Session{})}
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
