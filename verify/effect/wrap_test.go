package effect_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/syntax"
)

// An operator that makes an index or a divisor of any number limits it, but for a counter that
// begins anew at the end.
func TestWrapped(t *testing.T) {
	const board = "package p\n\nfunc (b *board) at(rank int) entry {\n\ti := b.order[rank]\n\treturn b.entries[i]\n}\n"
	const direct = "package p\n\nfunc (b *board) at(rank int) entry {\n\treturn b.entries[b.order[rank]]\n}\n"
	const ring = "package p\n\nfunc (r *ring) push(v int) {\n\tr.values[r.next] = v\n\tr.next++\n}\n"
	const mean = "package p\n\nfunc (s *sample) mean() int {\n\treturn s.sum / s.n\n}\n"
	for _, tt := range []struct {
		name, before string
		edit         []string
		want         string
	}{
		{"a remainder", board, []string{"b.order[rank]", "b.order[rank] % len(b.entries)"}, "limits a value: b.order[rank] % len(b.entries)"},
		{"in the index", direct, []string{"b.order[rank]]", "b.order[rank] % len(b.entries)]"}, "limits a value: b.order[rank] % len(b.entries)"},
		{"of another type", direct, []string{"b.order[rank]]", "b.order[rank] % uint32(len(b.entries))]"}, "limits a value: b.order[rank] % uint32(len(b.entries))"},
		{"by an assignment", board, []string{"\treturn", "\ti %= len(b.entries)\n\treturn"}, "limits a value: i %= len(b.entries)"},
		{"a mask", direct, []string{"b.order[rank]]", "b.order[rank] & (len(b.entries)-1)]"}, "limits a value: b.order[rank] & (len(b.entries)-1)"},
		{"an odd divisor", mean, []string{"s.n", "(s.n | 1)"}, "limits a value: s.n | 1"},
		{"a flag", mean, []string{"s.sum / s.n", "s.sum | 1"}, ""},
		{"a counter", ring, []string{"r.values[r.next]", "r.values[r.next%len(r.values)]"}, ""},
		{"and where it is counted", ring, []string{"r.values[r.next]", "r.values[r.next%len(r.values)]", "r.next++", "r.next = r.next + 1"}, ""},
		{"where it is counted", ring, []string{"r.next++", "r.next = (r.next + 1) % len(r.values)"}, ""},
		{"after that", ring, []string{"r.next++", "r.next++\n\tr.next %= len(r.values)"}, ""},
		{"what was not an index", board, []string{"b.order[rank]", "b.hash(rank) % len(b.entries)"}, ""},
	} {
		after := strings.NewReplacer(tt.edit...).Replace(tt.before)
		if got := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: tt.before, After: after}}}).Skips; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
