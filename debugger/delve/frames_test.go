package delve

import (
	"slices"
	"testing"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// The compiler's own variables are hidden, as are unnamed results.
func TestTheCompilersVariablesAreHidden(t *testing.T) {
	var names []string
	for _, v := range convert.Variables([]api.Variable{{Name: ".autotmp_3"}, {Name: "~r0"}, {Name: "_"}, {Name: "n"}}) {
		names = append(names, v.Name)
	}
	if !slices.Equal(names, []string{"n"}) {
		t.Errorf("shown are %q", names)
	}
}
