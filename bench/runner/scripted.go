package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
)

// Scripted is the provider of the models whose strength is known: they test the
// benchmark itself.
const Scripted = "scripted"

// parameters of the scripted models decide which prompts they get.
var parameters = map[string]string{"strong": "32B", "sloppy": "7B", "hostile": "7B"}

// ScriptedModels lists the scripted models.
func ScriptedModels() []llm.Info {
	var list []llm.Info
	for _, name := range []string{"strong", "sloppy", "hostile"} {
		list = append(list, llm.Info{Provider: Scripted, Name: name, Family: "qwen2", Parameters: parameters[name], Quantisation: "Q4_K_M",
			Context: 32768, Capabilities: []string{llm.Completion}, Digest: "scripted-1"})
	}
	return list
}

// scripts makes what scripted models answer, each once: finding a wrong answer
// takes several builds.
type scripts struct {
	dir  string
	mu   sync.Mutex
	made map[string]func() (bench.Answer, error)
}

func newScripts(dir string) *scripts {
	return &scripts{dir: dir, made: map[string]func() (bench.Answer, error){}}
}

// answer is what a scripted model replies in a cell.
func (s *scripts) answer(ctx context.Context, model string, c *bench.Case, trial int) (bench.Answer, error) {
	key := fmt.Sprintf("%s-%s-%d", model, c.Name, trial)
	s.mu.Lock()
	once, ok := s.made[key]
	if !ok {
		once = sync.OnceValues(func() (bench.Answer, error) { return scripted(ctx, model, c, trial, filepath.Join(s.dir, key)) })
		s.made[key] = once
	}
	s.mu.Unlock()
	return once()
}

func scripted(ctx context.Context, model string, c *bench.Case, trial int, dir string) (bench.Answer, error) {
	switch {
	case model == "strong" && c.CanBeFixed():
		return c.Strong()
	case model == "strong":
		return bench.Answer{Text: "It stops because of its input; the code is right.", Kind: "none"}, nil
	case model == "sloppy":
		return c.Sloppy(ctx, dir, trial)
	case model == "hostile":
		return c.Hostile(trial)
	}
	return bench.Answer{}, fmt.Errorf("%w: %s/%s", llm.ErrUnknownModel, Scripted, model)
}

// scriptedModel replies the same to every question of a cell.
type scriptedModel struct {
	info   llm.Info
	answer bench.Answer
}

// Info implements llm.Model.
func (m scriptedModel) Info() llm.Info { return m.info }

// Complete implements llm.Model.
func (m scriptedModel) Complete(_ context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	if onText != nil {
		onText(m.answer.Text)
	}
	size := 0
	for _, one := range r.Messages {
		size += len(one.Text)
	}
	return llm.Answer{Text: m.answer.Text, PromptTokens: max(1, size/3), Tokens: max(1, len(m.answer.Text)/3), Took: time.Millisecond, FirstToken: time.Millisecond}, nil
}

// isScripted reports whether a column's model is a scripted one, and which.
func isScripted(c matrix.Column) (string, bool) { return strings.CutPrefix(c.Model, Scripted+"/") }
