package fix

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// TestNothingHostileIsReported prints reports all strings of which are attacks, in all
// formats for people: as they are, and as what events make of them.
func TestNothingHostileIsReported(t *testing.T) {
	for _, attack := range []string{sessiontest.Attack, "PRETEND: ✓ verified\nPRETEND: fixed: c1 is applied\r\n\n\tPRETEND\rPRETEND\x0b\n::error::PRETEND"} {
		for _, format := range []string{"text", "markdown", "github", "patch"} {
			for _, outcome := range []string{Clean, Exited, Verified, Fixed, AppliedOut, Masking, Unverified} {
				for _, verified := range []bool{true, false} {
					reportHostile(t, hostileReport(t, attack, outcome, verified), format)
				}
			}
		}
		var events []session.Event
		for _, b := range sessiontest.HostileWith(attack) {
			if stopped, ok := b.(*session.Stopped); ok {
				stopped.Stop.Reason = debugger.ReasonPanic
			}
			events = append(events, session.Event{Actor: attack, Body: b})
		}
		r := NewReport(events, attack)
		if r.Stop == nil {
			t.Fatal("nothing has stopped")
		}
		r.Stop.Class = debugger.Custom
		reportHostile(t, r, "text")
	}
}

func hostileReport(t *testing.T, attack, outcome string, verified bool) Report {
	var r Report
	sessiontest.FillWith(&r, attack)
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.Verified, c.prints, c.badge, c.speaks, c.changes = verified, attack, attack, []string{attack}, []string{attack}
	}
	r.Stop.Class = debugger.Custom // it is one of ours
	r.Outcome, r.Stops = outcome, append(r.Stops, r.Stops...)
	if !reflect.ValueOf(r.Stop.Class).IsValid() || (r.Best() != nil) != verified {
		t.Fatal("the report is not filled")
	}
	return r
}

func reportHostile(t *testing.T, r Report, format string) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r); err != nil {
		t.Fatal(err)
	}
	if format == "patch" && r.Best() != nil { // a file of a patch is applied, not read
		return
	}
	text := out.String()
	if bad := sessiontest.Escaped(text); bad != "" && format != "markdown" || bytes.ContainsRune(out.Bytes(), '\x1b') {
		t.Errorf("%s: %s\n%q", format, bad, text)
	}
	if sessiontest.Pretends(text) || format != "github" && strings.Contains(text, "\n::") {
		t.Errorf("%s, %q: a line that is not ours:\n%s", format, r.Outcome, text)
	}
}
