package catalog

import (
	"strings"

	"github.com/pausetui/pausetui/internal/editdistance"
)

// Nearest is the model whose name is most like an id that is not there:
// another tag of the same name before another name. It is empty where nothing
// is like it.
func (c Catalog) Nearest(id string) string {
	want := strings.ToLower(id)
	base := baseName(want)
	best, least := "", 1<<30
	for _, e := range c.Models() {
		if !CanAnswer(e.Info) {
			continue
		}
		have := strings.ToLower(e.ID())
		d := editdistance.Distance(want, have)
		other := baseName(have)
		switch {
		case other == base:
			d -= 1000
		case strings.HasPrefix(other, base), strings.HasPrefix(base, other):
			d -= 500
		case editdistance.Distance(other, base) > max(2, len(base)/2):
			continue
		}
		if d < least {
			best, least = e.ID(), d
		}
	}
	return best
}

// baseName is a model's name without provider and tag.
func baseName(id string) string {
	_, name, ok := strings.Cut(id, "/")
	if !ok {
		name = id
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}
