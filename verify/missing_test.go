package verify

import (
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// What the old run did, or would have done, and the new one does not, is found by
// running: the same edit can leave it out or not.
func TestMissingWorkIsCounted(t *testing.T) {
	testsupport.Slow(t)
	once := []string{
		"main.go", "total() int {", "total(seen map[*share]bool) int {\n\tif seen[s] {\n\t\treturn 0\n\t}\n\tseen[s] = true",
		"main.go", "h.total()", "h.total(seen)",
		"main.go", "a.total()", "a.total(map[*share]bool{})",
	}
	for _, tt := range []struct {
		name, fixture string
		args, changes []string
		want          verdict.Effect
	}{
		{"what is met again inside of itself", "shares", nil, once, verdict.Repairs},
		{"what two hold", "shares", []string{"shared"}, once, verdict.Skips},
		{"the iteration that failed", "sums", nil, []string{"main.go", "i <= len(xs);", "i <= len(xs) && i < len(xs);"}, verdict.Repairs},
		{"other iterations", "sums", nil, []string{"main.go", "i <= len(xs);", "i <= len(xs) && i+1 < len(xs);"}, verdict.Skips},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := crashing(t, tt.fixture, tt.args...)
			v := f.prove(t, execute.Options{}, f.edits(t, tt.changes...))
			if v.Effect != tt.want || v.Verified != (tt.want == verdict.Repairs) {
				t.Errorf("%s: %s, verified %v", v.Effect, v.How, v.Verified)
			}
		})
	}
}
