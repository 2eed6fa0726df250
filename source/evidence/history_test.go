package evidence

import (
	"cmp"
	"strings"
	"testing"
	"time"
)

func TestHistorySentence(t *testing.T) {
	reap := HistoryRow{Kind: "set", Value: "nil", Text: "p.conn = nil", Function: "(*Pool).reap", File: "pool.go", Line: 88, Goroutine: 7, Before: 2123 * time.Microsecond}
	dial := HistoryRow{Kind: "passed", Value: "nil", Text: "return nil", Function: "dial", File: "dial.go", Line: 9, Goroutine: 1, Before: 15 * time.Second, Level: 1}
	copied := HistoryRow{Kind: "set", Value: "nil", Text: "u := s.users[id]", Function: "get", File: "s.go", Line: 3, Goroutine: 1, Level: 2}
	missing := HistoryRow{Kind: "passed", Value: "nil", Text: "return users[id]", Function: "lookup", File: "s.go", Line: 8, Goroutine: 1, Level: 1, Missing: true}
	made := HistoryRow{Kind: "left", Text: "&Pool{}", Function: "NewPool", File: "pool.go", Line: 7, Goroutine: 1, Before: time.Hour}
	head := HistoryRow{Kind: "left", Text: "&Cache{}", Field: "next", Function: "New", File: "lru.go", Line: 22, Goroutine: 1, Before: time.Hour, Level: 1}
	library := HistoryRow{Kind: "set", By: "strconv.Atoi()", Text: "n, _ := strconv.Atoi(s)", Function: "parse", File: "m.go", Line: 5, Goroutine: 1}
	argument := HistoryRow{Kind: "passed", By: "os.Args", Value: "nil", Text: "run(os.Args)", Function: "main", File: "m.go", Line: 9, Goroutine: 1}
	for want, h := range map[string]History{
		"x is nil: parse has it from strconv.Atoi() (m.go:5)":                              {Rows: []HistoryRow{library}},
		"x is nil: main passed nil, from os.Args (m.go:9)":                                 {Rows: []HistoryRow{argument}},
		"e.next is nil: it was copied from the field next, which New left out (lru.go:22)": {Expr: "e.next", Rows: []HistoryRow{head}},
		"x is nil": {Origin: -1},
		"x is nil: dial returned nil (dial.go:9, in another goroutine)":            {Rows: []HistoryRow{dial}, Goroutine: 7},
		"x is nil: the map had no such entry: return users[id] in lookup (s.go:8)": {Rows: []HistoryRow{missing}},
		"x is nil: (*Pool).reap set it to nil (pool.go:88)":                        {Rows: []HistoryRow{reap, made}},
		"x is nil: dial returned nil (dial.go:9)":                                  {Rows: []HistoryRow{dial}},
		"x is nil: u := s.users[id] in get (s.go:3)":                               {Rows: []HistoryRow{dial, copied}, Origin: 1},
		"p.conn is nil: NewPool made p without conn (pool.go:7)":                   {Expr: "p.conn", Rows: []HistoryRow{made}},
		"x is nil: NewPool made the struct without it (pool.go:7)":                 {Rows: []HistoryRow{made}},
	} {
		h.Expr, h.Value = cmp.Or(h.Expr, "x"), "nil"
		if got := h.Sentence(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestListing(t *testing.T) {
	h := History{Expr: "x", Value: "nil", Goroutine: 1, Origin: 1, Rows: []HistoryRow{
		{Kind: "given", Value: "nil", Text: "func show(x *int)", Function: "show", File: "m.go", Line: 3, Goroutine: 1},
		{Kind: "left", Level: 1, Text: "&box{}", Function: "dial", File: "m.go", Line: 9, Goroutine: 7, Skipped: 2},
	}}
	want := "  m.go:3  func show(x *int)  [nil] in show, 0 s before\n▸ m.go:9    &box{}  [left out] in dial, goroutine 7, 0 s before\n  … 2 earlier changes are not kept\n"
	if got := h.Listing(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWithoutValues(t *testing.T) {
	for value, want := range map[string]string{
		"nil": "nil", "absent": "absent", "-12": "-12", "12345678": "a value", `"hunter2"`: "a value", "a *main.conn": "a *main.conn", `[]string of 2 ["a" "b"]`: "[]string of 2",
		"map[string]int of 3": "map[string]int of 3", `main.user{name: "x", password: 48213377}`: "a main.user", "chan int of 1": "chan int of 1", `string "x of y"`: "a value", "true": "true",
		`main.pair[string]{a: "x"}`: "a main.pair", `struct { password int }{password: 48213377}`: "a struct", "[32]uint8 [113 27 8]": "a value", "main.pin 4711": "a value", "": "",
		`[4711] = []int of 3`: "a value", `["x of 3"] = nil`: "a value", `main.user{note: "cut off`: "a value", "0.48213377": "a value", `{"x": 48213377}`: "a value",
	} {
		h := History{Expr: "x", Value: value, Rows: []HistoryRow{{Kind: "passed", Value: value, Text: "return u", Function: "f"}}}
		got := h.WithoutValues()
		if got.Value != want || got.Rows[0].Value != want || h.Rows[0].Value != value {
			t.Errorf("%s: %q, %q, want %q", value, got.Value, got.Rows[0].Value, want)
		}
	}
}

func TestHistoriesThatAreUntold(t *testing.T) {
	h := History{Value: "4711", Rows: []HistoryRow{{Value: "nil"}, {Value: "12"}, {Value: "true"}, {}}}
	got := h.Untold()
	if got.Value != someValue || got.Rows[0].Value != "nil" || got.Rows[1].Value != someValue || got.Rows[2].Value != someValue || got.Rows[3].Value != "" || h.Rows[1].Value != "12" {
		t.Errorf("%+v, of %+v", got, h)
	}
}

// Why a lock was kept is known from the source, who locked it from a run.
func TestWordsOfALock(t *testing.T) {
	h := History{Expr: "p.mu", Rows: []HistoryRow{{Kind: "locked", Function: "f", File: "a.go", Line: 3}}}
	d := Diagnosis{Sentence: "p.mu is never released", Observed: h.Sentence(), History: &h}
	if got := d.Words(); !strings.HasPrefix(got, "p.mu is never released; p.mu was locked by f (a.go:3") {
		t.Error(got)
	}
	h.Rows[0].Kind = "closed"
	if got := d.Words(); got != d.Observed {
		t.Error(got)
	}
}

// Several variables may be declared together.
func TestTheVariableThatIsDeclared(t *testing.T) {
	h := History{Expr: "second", Value: "nil", Rows: []HistoryRow{{Kind: "zero", Value: "nil", Text: "first, second *conn", Field: "second", Function: "dial", File: "main.go", Line: 8}}}
	if got := h.Sentence(); !strings.Contains(got, "dial declares second without a value") {
		t.Errorf("%q", got)
	}
}

// A deadlock has no time of its own: what is known is how the events follow one another.
func TestTimesOfADeadlock(t *testing.T) {
	for before, want := range map[time.Duration]string{0: "the last event", 17900 * time.Nanosecond: "17.9 µs before the last event"} {
		if got := (HistoryRow{Before: before, Late: true}).When(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
