//go:build linux

package delve

import (
	"errors"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
)

// TestMeanings reads a value of each type that means more than its fields.
func TestMeanings(t *testing.T) {
	t.Parallel()
	target := launch(t, "meanings")
	stop := resume(t, target, debugger.Continue)
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	frame, err := target.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	reader := format.NewReader(target, at)
	for _, c := range []struct {
		name, text string
		rows       []string // "name value", of the first ones
	}{
		{"span", "1.5s (1500000000)", nil},
		{"instant", "2026-03-01 12:30:05.25 UTC", nil},
		{"never", "the zero time", nil},
		{"large", "-123456789012345678901234567890", nil},
		{"ratio", "22/7", nil},
		{"half", "2.5", nil},
		{"id", "123e4567-e89b-12d3-a456-426614174000", nil},
		{"ip", "10.0.0.7", nil},
		{"ip6", "2001:db8::1", nil},
		{"network", "192.168.0.0/16", nil},
		{"addr", "10.1.2.3", nil},
		{"addr6", "fe80::1%eth0", nil},
		{"port", "10.1.2.3:80", nil},
		{"prefix", "10.0.0.0/8", nil},
		{"link", "https://ann:xxxxx@example.com/a%2Fb?q=1#top", nil},
		{"ask", "POST /orders?full=1 of shop", nil},
		{"tcp", "10.0.0.7:8080", nil},
		{"plain", "disk full", nil},
		{"notThere", "open /nowhere/at all: no such file or directory", []string{"is open /nowhere/at all: no such file or directory", "wraps no such file or directory"}},
		{"notNumber", `strconv.Atoi: parsing "x1": invalid syntax`, []string{"is ", "wraps invalid syntax"}},
		{"wrapped", "load config: open /nowhere/at all: no such file or directory", []string{"is load config", "wraps open /nowhere", "wraps no such file"}},
		{"joined", "close: disk full\nload config: open /nowhere/at all: no such file or directory", []string{"is close", "wraps disk full; load config", "wraps[0] disk full", "wraps[1] load config", "wraps open", "wraps no such"}},
		{"own", "no such user: disk full", []string{"is no such user", "wraps disk full"}},
		{"unknown", "blank{A: 1, B: 2}", nil},
		{"around", "flagged: disk full", []string{"is flagged", "wraps disk full"}},
		{"refused", "dial tcp 10.0.0.7:8080: connect: connection refused", []string{"is dial", "wraps connect", "wraps connection refused"}},
		{"concrete", "open x: file does not exist", []string{"is open x", "wraps file does not exist"}},
		{"root", "background", nil},
		{"held", `background, 1 value, canceled: context canceled because of "disk full"`, []string{"cancel canceled: context canceled", `value main.userKey{} = "ann"`, "background"}},
		{"open", "background, not canceled", []string{"cancel not canceled", "background"}},
		{"until", `background, 2 values, deadline 2126-03-01 12:30:05.25 UTC, canceled: context canceled because of "disk full"`,
			[]string{"deadline 2126-03-01 12:30:05.25 UTC, canceled", `value "trace" = 7`, "cancel ", "value ", "background"}},
		{"free", "unlocked", nil},
		{"taken", "locked", nil},
		{"wanted", "locked, 2 waiting", nil},
		{"reading", "read-locked 2 times", nil},
		{"writing", "write-locked", nil},
		{"group", "counter 3", nil},
		{"once", "done", nil},
		{"fresh", "not done yet", nil},
		{"pool", "1 value", []string{"P"}},
		{"noTable", "empty", nil},
		{"flag", "true", nil},
		{"count", "-9", nil},
		{"slot", "&point{X: 1, Y: 2}", []string{"stored main.point{X: 1, Y: 2}"}},
		{"noSlot", "nil", nil},
		{"any1", `"stored"`, []string{"stored stored"}},
		{"ring", "len 2 cap 3", nil},
		{"closed", "len 0 cap 1, closed", nil},
		{"empty", "the zero reflect.Value", nil},
		{"number", "int 42", []string{"holds 42"}},
		{"text", "main.point point{X: 3, Y: 4}", []string{"holds main.point{X: 3, Y: 4}"}},
		{"buffer", `"buffer"`, nil},
		{"builder", `"built"`, nil},
		{"raw", `"{\"a\": 1}"`, nil},
		{"names", "len 2", []string{"[0] ", "[1] "}},
		{"pattern", "`^a+$`", nil},
		{"absent", "NULL", nil},
		{"present", "5", nil},
		{"closure", "main.main.func", nil},
		{"method", "time.Time.String (bound)", nil},
		{"file", `"/dev/stdin", fd 0`, nil},
	} {
		v := local(t, frame, c.name)
		got, err := format.Describe(t.Context(), reader, v)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.Text != c.text && !(c.name == "closure" && strings.HasPrefix(got.Text, c.text)) {
			t.Errorf("%s: %q, want %q", c.name, got.Text, c.text)
		}
		var rows []string
		var list func([]debugger.Variable)
		list = func(all []debugger.Variable) {
			for _, r := range all {
				rows = append(rows, r.Name+" "+r.Value)
				list(r.Children)
			}
		}
		if len(c.rows) > 0 && strings.HasPrefix(c.rows[0], "is ") {
			list(got.Rows)
		} else {
			for _, r := range got.Rows {
				rows = append(rows, r.Name+" "+r.Value)
			}
		}
		if len(c.rows) != len(rows) {
			t.Errorf("%s: rows %q, want %q", c.name, rows, c.rows)
			continue
		}
		for i, want := range c.rows {
			if !strings.HasPrefix(rows[i], want) {
				t.Errorf("%s: row %q, want %q", c.name, rows[i], want)
			}
		}
	}
	for name, want := range map[string]string{"full": "wait to send", "idle": "waits to receive"} {
		got, err := format.Describe(t.Context(), reader, local(t, frame, name))
		if err != nil || !strings.HasPrefix(got.Text, "unbuffered, goroutine") || !strings.HasSuffix(got.Text, want) {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
	}
	table, err := format.Describe(t.Context(), reader, local(t, frame, "table"))
	if err != nil || table.Text != "40 entries" || len(table.Rows) != 40 {
		t.Errorf("table: %q with %d rows, %v", table.Text, len(table.Rows), err)
	}
	for _, r := range table.Rows {
		if r.Name == `["key 17"]` && r.Value != "17" {
			t.Errorf("%s is %q", r.Name, r.Value)
		}
	}
	inner, err := target.Evaluate(t.Context(), at, "nested.deep.mu")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := format.Describe(t.Context(), reader, inner); err != nil || got.Text != "locked" {
		t.Errorf("nested.deep.mu: %q, %v", got.Text, err)
	}
	for _, name := range []string{"none", "nested"} {
		if _, err := format.Describe(t.Context(), reader, local(t, frame, name)); !errors.Is(err, format.ErrPlain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f := local(t, frame, "closure"); len(f.Children) != 2 {
		t.Errorf("closure holds %v", f.Children)
	}
}
