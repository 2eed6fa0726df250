package debugger

import "testing"

func TestPanicFilter(t *testing.T) {
	for _, tt := range []struct {
		in, not          []string
		thrower, culprit string
		want             bool
	}{
		{nil, nil, "encoding/json.(*decodeState).object", "main.load", true},
		{nil, []string{"encoding/json"}, "encoding/json.(*decodeState).object", "main.load", false},
		{nil, []string{"encoding/..."}, "encoding/json.(*decodeState).object", "main.load", false},
		{nil, []string{"json"}, "encoding/json.(*decodeState).object", "main.load", true},
		{[]string{"example.org/app/internal/..."}, nil, "runtime.gopanic", "example.org/app/internal/store.(*Index[go.shape.int]).Add", true},
		{[]string{"example.org/app/internal/..."}, nil, "runtime.gopanic", "example.org/app/internal.Add", true},
		{[]string{"example.org/app/internal/..."}, nil, "net/http.x", "example.org/app/web.serve", false},
		{[]string{"..."}, []string{"main"}, "main.f", "main.f", false},
		{[]string{"example.org/.../store"}, nil, "x.f", "example.org/app/v2/store.f", true},
		{[]string{"example.org/app"}, nil, "x.f", "example.org/app_test.TestX", true},
		{[]string{"gopkg.in/yaml.v3"}, nil, "gopkg.in/yaml.v3.fail", "", true},
	} {
		f := PanicFilter{In: tt.in, Not: tt.not}
		if got := f.Stops(tt.thrower, tt.culprit); got != tt.want {
			t.Errorf("in %q not %q: %s, %s: %v", tt.in, tt.not, tt.thrower, tt.culprit, got)
		}
	}
}
