package prompts

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
)

// Refusal is a profile that does not fit, and why.
type Refusal struct {
	Profile Profile
	Reasons []string // in words: "needs goroutines: none gathered"
}

// String is the profile's name with the reasons.
func (r Refusal) String() string { return r.Profile.Name + ": " + strings.Join(r.Reasons, "; ") }

// Suitable returns the profiles of a task that fit a class of stop, a model and
// what was gathered, the best first, and those that do not fit, by name. Written
// for the class goes before written for any; then the same for the model's
// family; then the person's own profiles; then whole functions before
// search/replace; then what asks more of the model; then the name. c may be the zero
// Context while nothing has been gathered: needs then count as met.
func (l Library) Suitable(task Task, class string, m llm.Info, c Context) (fit []Profile, refused []Refusal) {
	for _, name := range l.Names() {
		p := l[name]
		if p.Task != task {
			continue
		}
		var reasons []string
		if !p.SuitsClass(class) {
			reasons = append(reasons, fmt.Sprintf("is for %s, not for %s", strings.Join(p.Classes, ", "), class))
		}
		if slices.Contains(p.Offers, Scripts) {
			reasons = append(reasons, "is used only where it is named")
		}
		reasons = append(reasons, p.Missing(c, m)...)
		if len(reasons) > 0 {
			refused = append(refused, Refusal{p, reasons})
			continue
		}
		fit = append(fit, p)
	}
	slices.SortStableFunc(fit, byPreference)
	return fit, refused
}

// byPreference orders profiles that fit.
func byPreference(a, b Profile) int {
	return cmp.Or(
		cmp.Compare(given(b.Classes), given(a.Classes)),
		cmp.Compare(given(b.Families), given(a.Families)),
		cmp.Compare(own(b), own(a)),
		cmp.Compare(slices.Index(Formats, a.Format), slices.Index(Formats, b.Format)),
		cmp.Compare(len(b.Requires.Capabilities), len(a.Requires.Capabilities)),
		cmp.Compare(b.Requires.Parameters, a.Requires.Parameters),
		cmp.Compare(b.Requires.Context, a.Requires.Context),
		cmp.Compare(a.Name, b.Name),
	)
}

// given is 1 where there is something, else 0.
func given(list []string) int {
	return min(len(list), 1)
}

// own is 1 for a profile that does not come with the program.
func own(p Profile) int {
	if p.From == FromEmbedded {
		return 0
	}
	return 1
}

// SuitsClass reports whether the profile is for stops of a class; the empty class
// stands for any.
func (p Profile) SuitsClass(class string) bool {
	return class == "" || len(p.Classes) == 0 || slices.ContainsFunc(p.Classes, func(glob string) bool { return matches(glob, class) })
}

// Missing says, in words, which of the profile's needs and requirements are not
// met; none when the model can be asked. What a provider does not tell of a
// model's size counts as enough; a capability must be named.
func (p Profile) Missing(c Context, m llm.Info) []string {
	var missing []string
	missing = append(missing, p.missingOfModel(m)...)
	if len(c.whole) == 0 && len(c.Sections) == 0 {
		return missing
	}
	for _, key := range p.Needs {
		if strings.TrimSpace(c.all(key)) == "" {
			missing = append(missing, fmt.Sprintf("needs %s: none gathered", key))
		}
	}
	return append(missing, p.missingOfFunction(c, m)...)
}

func (p Profile) missingOfModel(m llm.Info) []string {
	var missing []string
	for _, need := range p.Requires.Capabilities {
		if !slices.Contains(m.Capabilities, need) {
			missing = append(missing, need+" missing: the model cannot do that, or does not say so")
		}
	}
	if size, ok := Size(m); ok && size < p.Requires.Parameters {
		missing = append(missing, fmt.Sprintf("wants at least %gB parameters, the model has %gB", p.Requires.Parameters, size))
	}
	if have := m.Context; have > 0 && have < p.Requires.Context {
		missing = append(missing, fmt.Sprintf("wants a context of at least %d tokens, the model has %d", p.Requires.Context, have))
	}
	if len(p.Families) > 0 && !slices.ContainsFunc(p.Families, func(glob string) bool { return familyMatches(glob, m) }) {
		missing = append(missing, fmt.Sprintf("is for models of %s", strings.Join(p.Families, ", ")))
	}
	return missing
}

// missingOfFunction reports whether whole functions can be asked for: the model
// must see the whole function and have room to write it again.
func (p Profile) missingOfFunction(c Context, m llm.Info) []string {
	if p.Task != Fix || p.Format != Functions {
		return nil
	}
	perToken := BytesPerToken(m)
	need, room := tokens(c.all(SectionFunction), perToken), Reserve(p, m)
	if need > room {
		return []string{fmt.Sprintf("asks for whole functions: this one takes about %d tokens, and there is room for %d", need, room)}
	}
	s, ok := p.Fit(c, m, perToken).section(SectionFunction)
	if ok && s.Left > 0 {
		return []string{fmt.Sprintf("asks for whole functions: %d lines of this one do not fit the model's context", s.Left)}
	}
	return nil
}

// Fit returns the context with the sections that the profile shows, trimmed to
// what the model can read.
func (p Profile) Fit(c Context, m llm.Info, perToken float64) Context {
	keys := p.Shows
	if len(keys) > 0 {
		keys = append(slices.Clip(keys), SectionExpected)
	}
	return c.Fit(BudgetFor(p, m, perToken), perToken, keys...)
}

// all returns the text of a section before it was trimmed.
func (c Context) all(key string) string {
	for _, d := range c.whole {
		if d.Key == key {
			return d.Text
		}
	}
	return c.Section(key)
}

var sizeInName = lazyregexp.New(`(?i)(?:^|[-_:.])((?:\d{1,2}x)?\d{1,4}(?:\.\d+)?[mb])(?:$|[-_:.])`)

// Size is a model's number of parameters in billions: as its provider says, or
// as its name does; false when neither does.
func Size(m llm.Info) (float64, bool) {
	if v, ok := Billions(m.Parameters); ok {
		return v, true
	}
	if found := sizeInName.FindStringSubmatch(m.Name); found != nil {
		return Billions(found[1])
	}
	return 0, false
}

// ErrNoProfile is returned when no profile of the task fits.
var ErrNoProfile = errors.New("no prompt profile fits")

// Choose returns the profile of that name if it fits, or else the first that
// does; note then says why, and is empty otherwise. The empty name and "auto"
// choose the first that fits. It fails for an unknown name, and with
// ErrNoProfile.
func (l Library) Choose(name string, task Task, class string, m llm.Info, c Context) (p Profile, note string, err error) {
	fit, refused := l.Suitable(task, class, m, c)
	if name != "" && name != "auto" {
		p, err := l.Get(name)
		if err != nil {
			return p, "", err
		}
		missing := p.Missing(c, m)
		if len(missing) == 0 {
			return p, "", nil
		}
		note = Refusal{p, missing}.String()
	}
	if len(fit) == 0 {
		reasons := make([]string, len(refused))
		for i, r := range refused {
			reasons[i] = r.String()
		}
		return Profile{}, note, advice.Add(fmt.Errorf("%w: %s", ErrNoProfile, strings.Join(reasons, "; ")), "pausetui prompts list shows what each requires")
	}
	if note != "" {
		note += "; " + fit[0].Name + " is used instead"
	}
	return fit[0], note, nil
}
