package delve

import (
	"testing"

	"github.com/go-delve/delve/service/api"
)

// Delve lists a result of optimized code once for each place; it is one result.
func TestAResultIsListedOnce(t *testing.T) {
	lost := api.Variable{Name: "~r0", Type: "int", Unreadable: "empty OP stack"}
	unnamed := api.Variable{Name: "_", Type: "int", Unreadable: "empty OP stack"}
	for _, tt := range []struct {
		list []api.Variable
		want int
	}{
		{[]api.Variable{lost, lost}, 1},
		{[]api.Variable{lost, {Name: "~r1", Type: "int", Unreadable: lost.Unreadable}}, 2},
		{[]api.Variable{unnamed, unnamed}, 2},
	} {
		if got := returned(tt.list); len(got) != tt.want {
			t.Errorf("%d results of %v, want %d", len(got), tt.list, tt.want)
		}
	}
}
