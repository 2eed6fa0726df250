package roster

import (
	"context"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/options"
)

// askers are the models of the roster, as the screen offers them.
type askers struct{ r *Roster }

// Askers returns what the screen offers.
func (r *Roster) Askers() options.Askers { return askers{r} }

// List returns the profiles, auto, and every model that answers questions.
func (p askers) List() []dialog.Asker {
	auto := dialog.Asker{Name: choose.Auto, Detail: "the model and the prompt that suit the stop best, by what was measured"}
	models := p.r.Catalog().Models()
	if len(models) == 0 {
		auto.Detail = "no model is known yet: " + choose.Hint(catalog.Memory())
	}
	list := []dialog.Asker{auto}
	for _, name := range sortedNames(p.r.settings.Profiles) {
		s := p.r.settings.Profiles[name]
		a := dialog.Asker{Name: name, Detail: strings.TrimSpace("profile: " + orAuto(s.Model) + " with prompt " + orAuto(s.Prompt))}
		if e, ok := p.r.Catalog().Find(s.Model); ok {
			known := p.asker(e)
			known.Name, known.Detail, known.CanTry = a.Name, a.Detail+" · "+known.Detail, false
			a = known
		} else if len(models) > 0 && s.Model != "" && s.Model != choose.Auto {
			a.Detail += " · that model is not there"
		}
		list = append(list, a)
	}
	for _, e := range models {
		if catalog.CanAnswer(e.Info) {
			list = append(list, p.asker(e))
		}
	}
	return list
}

func orAuto(s string) string {
	if s == "" {
		return choose.Auto
	}
	return s
}

// asker is a model with what is known of it.
func (p askers) asker(e catalog.Entry) dialog.Asker {
	a := dialog.Asker{Name: e.ID(), Parameters: e.Parameters, Context: ContextWords(e.Context), Remote: e.Remote, Loaded: e.Loaded, CanTry: true}
	words := []string{e.Parameters, e.Quantisation}
	if e.Context > 0 {
		words = append(words, a.Context+" context")
	}
	words = append(words, strings.Join(e.Capabilities, ", "), catalog.Bytes(e.Size), Where(e.Info))
	if t := p.r.Results().Of(e.ID(), "", ""); t.Asked > 0 {
		a.Measured = fmt.Sprintf("%d/%d", t.Right, t.Asked)
		words = append(words, t.Words())
	} else {
		words = append(words, "nothing measured yet")
	}
	if e.Probe != nil {
		a.Tried = "✗"
		if e.Probe.Fixes {
			a.Tried = "✓"
		}
		words = append(words, e.Probe.Words())
	} else {
		words = append(words, "not tried yet")
	}
	var said []string
	for _, w := range words {
		if w != "" {
			said = append(said, w)
		}
	}
	a.Detail = strings.Join(said, " · ")
	return a
}

// Refresh asks the providers again.
func (p askers) Refresh(ctx context.Context) error {
	p.r.Examine(ctx)
	if silent := p.r.Catalog().Silent(); len(silent) > 0 {
		return fmt.Errorf("%s", silent[0].Err)
	}
	return nil
}

// Probe tries a model.
func (p askers) Probe(ctx context.Context, name string) error {
	_, _, err := p.r.Probe(ctx, name)
	return err
}

// ContextWords writes a context in thousands: "32k".
func ContextWords(tokens int) string {
	switch {
	case tokens <= 0:
		return ""
	case tokens < 1024:
		return fmt.Sprint(tokens)
	}
	return fmt.Sprintf("%dk", tokens/1024)
}

// Where says where a model runs.
func Where(i llm.Info) string {
	switch {
	case i.Remote:
		return "remote"
	case i.Loaded:
		return "local, loaded"
	}
	return "local"
}

// MeasuredWords are what was measured, for a cell of a table.
func MeasuredWords(t choose.Tally) string {
	if t.Asked == 0 {
		return "–"
	}
	return t.Words()
}
