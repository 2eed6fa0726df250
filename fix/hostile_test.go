package fix

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/session/sessiontest"
)

// TestNothingHostileIsReported prints a report all strings of which are attacks.
func TestNothingHostileIsReported(t *testing.T) {
	var r Report
	sessiontest.Fill(&r)
	for i := range r.Candidates {
		r.Candidates[i].Verified = true
	}
	if !reflect.ValueOf(r.Stop.Class).IsValid() || r.Best() == nil {
		t.Fatal("the report is not filled")
	}
	var out bytes.Buffer
	WriteText(&out, r)
	if bad := sessiontest.Escaped(out.String()); bad != "" || bytes.ContainsRune(out.Bytes(), '\x1b') {
		t.Errorf("%s\n%q", bad, out.String())
	}
}
