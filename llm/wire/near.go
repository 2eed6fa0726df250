package wire

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/editdistance"
	"github.com/pausetui/pausetui/llm"
)

// Some names up to five models.
func Some(list []llm.Info) string {
	var names []string
	for i, m := range list {
		if i == 5 {
			return strings.Join(names, ", ") + ", …"
		}
		names = append(names, Clean(m.Name))
	}
	return strings.Join(names, ", ")
}

// Near returns up to three models whose names are like name, the nearest first.
func Near(name string, list []llm.Info) []string {
	type scored struct {
		name string
		d    int
	}
	var hits []scored
	if len(name) > maxWords {
		return nil
	}
	base, _, _ := strings.Cut(strings.ToLower(name), ":")
	for _, m := range list {
		full := strings.ToLower(m.Name)
		other, _, _ := strings.Cut(full, ":")
		d := min(editdistance.Distance(strings.ToLower(name), full), editdistance.Distance(base, other))
		if d <= max(2, len(base)/3) || base != "" && (strings.Contains(other, base) || strings.Contains(base, other)) {
			hits = append(hits, scored{Clean(m.Name), d})
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int { return a.d - b.d })
	var names []string
	for _, h := range hits[:min(3, len(hits))] {
		names = append(names, h.name)
	}
	return names
}
