package printable

import (
	"reflect"
	"strings"
	"testing"
)

func TestFoldNames(t *testing.T) {
	type frame struct {
		Function, File string
		Message        string
		Labels         map[string]string
		Body           []byte
		Next           *frame
		Files          []string
		Any            any
		Args           []struct{ Name, Type, Value string }
	}
	const bad, good = "\x1b]0;x\a\r\n::error::y\u0085", "::error::y"
	in := &frame{Function: bad, File: "a  b/\u200dx.go", Message: bad, Labels: map[string]string{bad: bad, "a": "b"}, Body: []byte(bad),
		Next: &frame{File: "two\nlines.go"}, Files: []string{bad, "x.go"}, Any: []*frame{{File: bad}}, Args: []struct{ Name, Type, Value string }{{bad, bad, bad}}}
	want := &frame{Function: good, File: "a  b/\u200dx.go", Message: bad, Labels: map[string]string{good: good, "a": "b"}, Body: []byte(bad),
		Next: &frame{File: "two lines.go"}, Files: []string{good, "x.go"}, Any: []*frame{{File: good}}, Args: []struct{ Name, Type, Value string }{{good, good, bad}}}
	if FoldNames(in, []byte(`{"File":"x.go"}`)); in.Function != bad {
		t.Error("it goes through what needs nothing")
	}
	if FoldNames(in, []byte(`{"File":"\n"}`)); !reflect.DeepEqual(in, want) {
		t.Errorf("%+v\nwant %+v", in, want)
	}
	for _, raw := range []string{"\u0085", "\x7f", `\u2028`} {
		if FoldNames(in, []byte(raw)); in.Function != good {
			t.Error(raw)
		}
	}
}

// A row that is indented is none of a CI's commands.
func TestNoRowIsACommand(t *testing.T) {
	if got, want := Block("::error::x\n  ::add-mask::y\n##[group]z\na::b ##[end]\n"), "  | ::error::x\n  |   ::add-mask::y\n  ## [group]z\n  a::b ## [end]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Quote("use \"##[stop-commands]x\""), "use \"## [stop-commands]x\""; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var table strings.Builder
	Row(&table, "a ##vso[task.complete]", "#####TeamCity[x]", "## [x] ##vso #vso[")
	if got, want := table.String(), "a ## vso[task.complete]\t##### TeamCity[x]\t## [x] ##vso #vso[\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	runners := []string{"GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"}
	for _, name := range runners {
		t.Setenv(name, "")
	}
	const line, text = "+\ts := \"##vso[x]\"\n", `"##vso[x]"`
	json := func() string {
		var b strings.Builder
		write(t, NewJSONWriter(&b).Write, text, 3)
		return b.String()
	}
	if got := Diff(line); got != line || json() != text {
		t.Errorf("%q, %s", got, json())
	}
	for _, name := range runners {
		t.Setenv(name, "True")
		if got, want := Diff(line), "+\ts := \"## vso[x]\"\n"; got != want || json() != `"\u0023\u0023vso[x]"` {
			t.Errorf("%s: %q, %s", name, got, json())
		}
		t.Setenv(name, "")
	}
}
