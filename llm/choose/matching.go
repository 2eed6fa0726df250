// Package choose chooses the model to ask, and the prompt: by the class of the stop, by
// what the prompts require, and by what was measured in past sessions, in benchmarks, and
// by probes.
//
// It sends models nothing but probes, and makes the same choice for the same
// facts. It must not know a screen or the engine.
package choose

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
)

// Auto is the name under which a person leaves the choice to this package.
const Auto = "auto"

// ErrNone is returned when no model can be asked.
var ErrNone = errors.New("there is no model to ask")

// Query is what a choice depends on.
type Query struct {
	Class  string // of the stop
	Models []catalog.Entry
	// Prompts names the prompt profiles that suit a class and a model, the best first.
	Prompts func(class string, m llm.Info) []string
	Results Results
	Memory  uint64 // of this machine, in bytes; 0 when it is not known
	Remote  bool   // models that run elsewhere may be asked
	// Prefer are ids, with * and ?: the first one that is there is chosen. Avoid
	// are never chosen. Only: none is chosen but those of Prefer.
	Prefer, Avoid []string
	Only          bool
	// Model, an id, and Prompt, a name, are what the person has chosen already;
	// empty for what is to be chosen.
	Model, Prompt string
}

// Choice is a model with a prompt, and why.
type Choice struct {
	Model  catalog.Entry
	Prompt string
	Score  float64 // how probable a right fix is thought to be, with caution; in [0, 1]
	Reason string  // "41 of 50 right on this class"

	id   string
	size float64 // billions of parameters
}

// Choose returns the best choice. It fails with ErrNone, and says what to do.
func Choose(q Query) (Choice, error) {
	ranked := Rank(q)
	if len(ranked) == 0 {
		return Choice{}, q.none()
	}
	return ranked[0], nil
}

// Rank returns all that can be asked, the best first.
func Rank(q Query) []Choice {
	able := q.able()
	var all []Choice
	for _, e := range able {
		id, size, before := e.ID(), billions(e.Info), prior(e)
		for at, prompt := range q.prompts(e.Info) {
			all = append(all, Choice{Model: e, Prompt: prompt, Score: q.score(e, before, prompt, at), id: id, size: size})
		}
	}
	slices.SortStableFunc(all, better)
	slices.SortStableFunc(all, func(a, b Choice) int { return cmp.Compare(q.preferred(a.id), q.preferred(b.id)) })
	if len(all) > 0 {
		all[0].Reason = q.reason(all[0], able)
	}
	return all
}

// better orders choices; prompts of one model stay in the order they came in.
func better(a, b Choice) int {
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		compareTrue(b.Model.Loaded, a.Model.Loaded),
		compareTrue(a.Model.Remote, b.Model.Remote),
		cmp.Compare(b.size, a.size),
		cmp.Compare(a.id, b.id),
	)
}

func compareTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// able are the models that may be asked, and can be.
func (q Query) able() []catalog.Entry {
	var list []catalog.Entry
	for _, e := range q.Models {
		if q.Model != "" && e.ID() != q.Model {
			continue
		}
		if catalog.CanAnswer(e.Info) && (q.Model != "" || q.allowed(e) && q.fits(e)) {
			list = append(list, e)
		}
	}
	return list
}

// preferred is the place of a model among those that are preferred, the first is
// 0; those that are not come last.
func (q Query) preferred(id string) int {
	at := slices.IndexFunc(q.Prefer, func(glob string) bool { return match(glob, id) })
	if at < 0 {
		return len(q.Prefer)
	}
	return at
}

func match(glob, id string) bool {
	ok, err := path.Match(strings.ReplaceAll(glob, "/", ":"), strings.ReplaceAll(id, "/", ":"))
	return ok && err == nil
}

func (q Query) allowed(e catalog.Entry) bool {
	if q.Only && q.preferred(e.ID()) == len(q.Prefer) || slices.ContainsFunc(q.Avoid, func(glob string) bool { return match(glob, e.ID()) }) {
		return false
	}
	return !e.Remote || q.Remote
}

func (q Query) fits(e catalog.Entry) bool {
	return e.Remote || e.Loaded || catalog.Fits(e.Size, q.Memory)
}

func (q Query) prompts(m llm.Info) []string {
	if q.Prompt != "" {
		return []string{q.Prompt}
	}
	return q.Prompts(q.Class, m)
}

// none says why nothing can be asked, and what to do.
func (q Query) none() error {
	var remote, large []string
	for _, e := range q.Models {
		switch {
		case !catalog.CanAnswer(e.Info):
		case e.Remote && !q.Remote:
			remote = append(remote, e.ID())
		case q.allowed(e) && !q.fits(e):
			large = append(large, e.ID())
		}
	}
	switch {
	case q.Model != "":
		return advice.Add(fmt.Errorf("%w: no prompt suits %q", ErrNone, q.Model), "--prompt names one")
	case len(q.able()) > 0:
		return advice.Add(fmt.Errorf("%w: no prompt suits any of the models on class %s", ErrNone, q.Class), "pausetui prompts list shows what they require")
	case len(remote) > 0:
		return advice.Add(fmt.Errorf("%w: %s runs elsewhere", ErrNone, remote[0]), "--allow-remote allows it, or fetch a local one: pausetui models pull NAME")
	case len(large) > 0:
		return advice.Add(fmt.Errorf("%w: %s does not fit %s of memory", ErrNone, large[0], catalog.MemoryWords(q.Memory)), "--model "+large[0]+" asks it anyway")
	}
	if len(q.Models) > 0 {
		return advice.Add(fmt.Errorf("%w: the configuration avoids all models", ErrNone), "--model names one; F chooses among all")
	}
	return advice.Add(ErrNone, Hint(q.Memory))
}

// Hint says how to come by a model on a machine that has none.
func Hint(memory uint64) string {
	s, ok := catalog.Suggest(memory)
	if !ok {
		return "fetch one: pausetui models pull NAME"
	}
	return strings.TrimSuffix(s.Words(memory), ".") + "; pausetui models pull " + s.Model
}
