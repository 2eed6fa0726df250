package regress

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

const varying = `package m

import (
	"math/rand"
	"os"
	"time"

	"other.org/ids/v2"
)

type clock interface{ now() time.Time }

type real struct{}

func (real) now() time.Time { return time.Now() }

type item struct {
	at time.Time
	c  clock
}

var (
	seed   = rand.New(rand.NewSource(1))
	debug  = os.Getenv("DEBUG") != ""
	hidden = time.Now
)

func (i *item) expired() bool  { return time.Now().After(i.at) }
func (i *item) stale() bool    { return i.age() > time.Hour }
func (i *item) age() time.Duration { return i.c.now().Sub(i.at) }
func pick(n int) int           { return rand.Intn(n) }
func seeded(n int) int         { return seed.Intn(n) }
func loud() bool               { return debug }
func later() bool              { return hidden().IsZero() }
func zone(s int64) string      { return time.Unix(s, 0).String() }
func utc(s int64) string       { return time.Unix(s, 0).UTC().String() }
func id() string               { return ids.New() }
func parsed(s string) string   { return ids.Parse(s) }
func file() bool               { _, err := os.Stat("x"); return err == nil }
func passed(f func() bool) bool { return f() }
func (i *item) before(t time.Time) bool { return i.at.Before(t) }
`

const others = `package ids

import (
	"crypto/rand"
	"io"
	"strings"
)

var source = rand.Reader

func New() string { return sixteen() }

func sixteen() string {
	b := make([]byte, 16)
	_, _ = io.ReadFull(source, b)
	return string(b)
}

func Parse(s string) string { return strings.TrimSpace(s) }
`

// What depends on the clock, on chance or on the machine is not asserted; a test of it would
// fail one day.
func TestWhatVariesIsNotAsserted(t *testing.T) {
	m, dir := module(t, map[string]string{"m.go": varying, "go.mod": "module example.com/m\n\ngo 1.25\n\nrequire other.org/ids/v2 v2.0.0\n",
		"vendor/modules.txt":             "# other.org/ids/v2 v2.0.0\n## explicit; go 1.25\nother.org/ids/v2\n",
		"vendor/other.org/ids/v2/ids.go": others})
	loud := []Row{{Args: []replay.Node{{Kind: replay.Func, Text: "example.com/m.loud"}}}}
	for _, test := range []struct {
		receiver, name string
		rows           []Row
		want           string
	}{
		{"*item", "expired", nil, "the clock: time.Now in (*item).expired"},
		{"*item", "stale", nil, "the clock: time.Now in real.now"},
		{"", "pick", nil, "random numbers: rand.Intn in pick"},
		{"", "seeded", nil, ""},
		{"", "loud", nil, "the environment: os.Getenv in debug"},
		{"", "later", nil, "the clock: time.Now in hidden"},
		{"", "zone", nil, "the time zone: time.Unix in zone"},
		{"", "utc", nil, ""},
		{"", "id", nil, "random numbers: rand.Reader in ids.source"},
		{"", "parsed", nil, ""},
		{"", "file", nil, "files: os.Stat in file"},
		{"", "passed", nil, ""},
		{"", "passed", loud, "the environment: os.Getenv in debug"},
		{"*item", "before", nil, ""},
	} {
		fn, ok := declaredAs(m.c.Code, Answers{File: filepath.Join(dir, "m.go"), Receiver: test.receiver, Name: test.name})
		if !ok {
			t.Fatalf("no %s", test.name)
		}
		want := test.want
		if want != "" {
			want = "its answer may depend on " + want
		}
		if got := m.varies(fn, test.rows); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
	_, err := Table(t.Context(), m.c, Answers{File: filepath.Join(dir, "m.go"), Receiver: "*item", Name: "expired"})
	if err == nil || !strings.Contains(err.Error(), "the clock") {
		t.Errorf("a table of it: %v", err)
	}
}

// What only the fix reads counts, too.
func TestWhatAFixSupplies(t *testing.T) {
	before := "package m\n\nimport \"time\"\n\nfunc f() time.Time { return time.Time{} }\n\nfunc g() time.Time { return time.Now() }\n"
	after := strings.Replace(before, "time.Time{} }", "time.Now() }", 1)
	if got := Supplies(before, after); got != "the answer of the fix may depend on the clock: time.Now" {
		t.Error(got)
	}
	if got := Supplies(after, before); got != "" {
		t.Error(got)
	}
}
