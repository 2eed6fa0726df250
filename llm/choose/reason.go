package choose

import (
	"fmt"

	"github.com/pausetui/pausetui/llm/catalog"
)

// reason says why a choice came first.
func (q Query) reason(c Choice, able []catalog.Entry) string {
	if words := q.record(c); words != "" {
		return words
	}
	if q.Model != "" {
		return ""
	}
	if len(q.Prefer) > 0 && q.preferred(c.id) < len(q.Prefer) {
		return "preferred by the configuration"
	}
	return q.unmeasured(c, able)
}

// record is what was measured, the narrowest first; empty when nothing was.
func (q Query) record(c Choice) string {
	id := c.Model.ID()
	if t := q.Results.Of(id, c.Prompt, q.Class); t.Asked > 0 {
		return t.Words() + " on this class"
	}
	if t := q.Results.Of(id, "", q.Class); t.Asked > 0 {
		return t.Words() + " on this class, with other prompts"
	}
	if t := q.Results.Of(id, "", ""); t.Asked > 0 {
		return t.Words() + " on other classes"
	}
	return ""
}

// Words is the tally in a few words: "41 of 50 right".
func (t Tally) Words() string {
	if t.Right == 0 && t.Open > 0 {
		return fmt.Sprintf("%d of %d verified", t.Verified, t.Asked)
	}
	return fmt.Sprintf("%d of %d right", t.Right, t.Asked)
}

// unmeasured says what speaks for a model that was never asked.
func (q Query) unmeasured(c Choice, able []catalog.Entry) string {
	const nothing = ", nothing measured yet"
	switch local := locals(able); {
	case len(able) == 1:
		return "the only model there is" + nothing
	case !c.Model.Remote && len(local) == 1:
		return "the only local model" + nothing
	case !c.Model.Remote && largest(c.Model, local):
		return "largest local model" + q.room() + nothing
	case c.Model.Remote && largest(c.Model, able):
		return "largest model" + nothing
	case c.Model.Loaded:
		return "loaded already" + nothing
	case c.Model.Probe != nil && c.Model.Probe.Fixes:
		return "it fixed the case of the probe" + nothing
	}
	return "the most promising by name and size" + nothing
}

func (q Query) room() string {
	if q.Memory == 0 {
		return ""
	}
	return " that fits " + catalog.MemoryWords(q.Memory)
}

func locals(list []catalog.Entry) []catalog.Entry {
	var local []catalog.Entry
	for _, e := range list {
		if !e.Remote {
			local = append(local, e)
		}
	}
	return local
}

func largest(e catalog.Entry, list []catalog.Entry) bool {
	for _, other := range list {
		if billions(other.Info) > billions(e.Info) {
			return false
		}
	}
	return true
}
