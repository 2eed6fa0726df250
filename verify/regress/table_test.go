package regress

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

func number(text string) replay.Node { return replay.Node{Kind: replay.Int, Type: "int", Text: text} }
func text(s string) replay.Node      { return replay.Node{Kind: replay.String, Type: "string", Text: s} }
func null(typ string) replay.Node    { return replay.Node{Kind: replay.Nil, Type: typ} }
func numbers(list ...string) replay.Node {
	n := replay.Node{Kind: replay.Slice, Type: "[]int"}
	for _, e := range list {
		n.Nodes = append(n.Nodes, number(e))
	}
	return n
}

const answering = `package m

import (
	"errors"
	"time"
)

type set struct {
	names map[string]bool
	size  int
	seen  time.Time
}

func (s *set) add(name string, _ int) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = true
	s.size++
}

func at(list []int, i int) (int, error) {
	if i >= len(list) {
		return 0, errors.New("too far")
	}
	return list[i], nil
}

func last(list ...int) int { return list[len(list)-1] }

func now() func() int { return nil }

func when() time.Time { return time.Unix(0, 0).UTC() }
`

// Tables assert results, errors, and what a call leaves of its arguments; what cannot be
// compared is refused, or left out.
func TestTables(t *testing.T) {
	m, dir := module(t, map[string]string{"m.go": answering})
	set := func(names replay.Node, size string) replay.Node {
		return replay.Node{Kind: replay.Pointer, ID: 1, Type: "*example.com/m.set", Nodes: []replay.Node{{Kind: replay.Struct, Type: "example.com/m.set",
			Names: []string{"names", "size", "seen"}, Nodes: []replay.Node{names, number(size), {Kind: replay.Time, Type: "time.Time", Text: "0001-01-01T00:00:00Z"}}}}}
	}
	one := replay.Node{Kind: replay.Map, Type: "map[string]bool", Nodes: []replay.Node{text(`"a"`), {Kind: replay.Bool, Type: "bool", Text: "true"}}}
	for _, test := range []struct {
		name    string
		answers Answers
		want    string // of the source, or of the error
	}{
		{"a result and an error", Answers{Name: "at", Rows: []Row{
			{Name: "the call that panicked", Args: []replay.Node{numbers("7"), number("1")}, Answer: replay.Outcome{Results: []replay.Node{number("0"), {Kind: replay.Interface, Type: "*errors.errorString", Text: `"too far"`}}, After: []replay.Node{numbers("7")}}, New: true, Needed: true},
			{Name: "call 1", Args: []replay.Node{numbers("7"), number("0")}, Answer: replay.Outcome{Results: []replay.Node{number("7"), null("error")}, After: []replay.Node{numbers("7")}}},
		}}, `func TestAtAnswers(t *testing.T) {
	// Calls of at in a run that panicked: assignment to entry in nil map
	// new: confirm stands beside an answer of the fix that nobody has confirmed.
	for _, test := range []struct {
		call    string
		list    []int
		i       int
		want    int
		wantErr bool
	}{
		{"the call that panicked", []int{7}, 1, 0, true}, // new: confirm
		{"call 1", []int{7}, 0, 7, false},
	} {
		got, err := at(test.list, test.i)
		if got != test.want {
			t.Errorf("%s: got %v, want %v", test.call, got, test.want)
		}
		if (err != nil) != test.wantErr {
			t.Errorf("%s: error %v, want one: %v", test.call, err, test.wantErr)
		}
	}
}
`},
		{"what a method leaves", Answers{Receiver: "*set", Name: "add", Rows: []Row{
			{Name: "the call that panicked", Args: []replay.Node{set(null("map[string]bool"), "0"), text(`"a"`), number("3")}, Answer: replay.Outcome{After: []replay.Node{set(one, "1")}}, New: true, Needed: true},
		}}, `		{
			"the call that panicked",
			&set{},
			"a",
			3,
			&set{names: map[string]bool{"a": true}, size: 1},
		}, // new: confirm
	} {
		test.s.add(test.name, test.arg3)
		if !reflect.DeepEqual(test.s, test.wantS) {
			t.Errorf("%s: s is %+v, want %+v", test.call, test.s, test.wantS)
		}
	}
`},
		{"a variadic one", Answers{Name: "last", Rows: []Row{{Name: "call 1", Args: []replay.Node{numbers("7", "8")}, Answer: replay.Outcome{Results: []replay.Node{number("8")}, After: []replay.Node{numbers("7", "8")}}}}}, "last(test.list...)"},
		{"a time", Answers{Name: "when", Rows: []Row{{Name: "call 1", Answer: replay.Outcome{Results: []replay.Node{{Kind: replay.Time, Type: "time.Time", Text: "1970-01-01T00:00:00Z"}}}}}}, "!got.Equal(test.want)"},
		{"a function is never equal", Answers{Name: "now", Rows: []Row{{Name: "call 1", Answer: replay.Outcome{Results: []replay.Node{{Kind: replay.Func, Type: "func() int", Text: "x.f"}}}}}}, "its answer cannot be written: it holds a func"},
		{"what cannot be made again", Answers{Name: "at", Rows: []Row{{Name: "call 1", Needed: true, Args: []replay.Node{{Kind: replay.Slice, Type: "[]int", Nodes: []replay.Node{{Kind: replay.SyncMap}}}, number("0")}, Answer: replay.Outcome{Results: []replay.Node{number("0"), null("error")}, After: []replay.Node{numbers()}}}}}, "list[0] cannot be read: was not recorded"},
		{"an unknown one", Answers{Name: "gone"}, "its source is not known"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.answers.File = filepath.Join(dir, "m.go")
			made, err := Table(t.Context(), m.c, test.answers)
			if err != nil {
				if err.Error() != test.want {
					t.Errorf("%v, want %q", err, test.want)
				}
				return
			}
			if !strings.Contains(made.Edit.After, test.want) {
				t.Errorf("no\n%s\nin\n%s", test.want, made.Edit.After)
			}
			write(t, filepath.Join(dir, "m_test.go"), made.Edit.After)
			defer os.Remove(filepath.Join(dir, "m_test.go"))
			if out, err := command(t, dir, "go", "test", "-run", made.Name, "."); err != nil {
				t.Errorf("%v\n%s\n%s", err, out, made.Edit.After)
			}
			if text, err := format.Source([]byte(made.Confirmed().Edit.After)); err != nil || string(text) != made.Confirmed().Edit.After {
				t.Errorf("%v: not as gofmt writes it:\n%s", err, made.Confirmed().Edit.After)
			}
			if confirmed := made.Confirmed(); confirmed.Asks() || made.Asks() != strings.Contains(test.want, "// new: confirm") {
				t.Errorf("confirmed:\n%s", confirmed.Edit.After)
			}
		})
	}
}
