package fixer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/fixer"
)

// proposals are the fixes of a program of one file.
func proposals(t *testing.T, source string) []string {
	t.Helper()
	p := program{dir: t.TempDir(), pkg: "."}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	write(t, filepath.Join(p.dir, "main.go"), source)
	_, candidates, err := fixer.Propose(t.Context(), p.pause(t).Case)
	if err != nil {
		t.Fatal(err)
	}
	var after []string
	for i, c := range candidates {
		if i == 0 {
			if o := p.try(t, c); o.problem != "" {
				t.Errorf("the first one, %s: %s\n%s", c.Title, o.problem, tail(o.output, 400))
			}
		}
		after = append(after, c.Edits[0].After)
	}
	return after
}

const findsRecords = `package main

import (
	"errors"
	"fmt"
	"strconv"
)

var errGone = errors.New("gone")

type rec struct{ n int }

func (r *rec) close() { r.n = 0 }

func find(s string) (*rec, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil, err
	}
	if n > 5 {
		return nil, errGone
	}
	return &rec{n}, nil
}

func known(s string) (*rec, bool) {
	r, err := find(s)
	return r, err == nil
}

func main() { fmt.Println(errors.Is(errGone, errGone)); fmt.Println(double("7")) }

`

// A guard of a value stands after the checks of the error, or the ok, that came with it.
func TestGuardsLeaveErrorChecksTheirTurn(t *testing.T) {
	for name, test := range map[string]struct{ function, check string }{
		"some errors pass": {"func double(s string) (int, error) {\n\tr, err := find(s)\n\tif err != nil && !errors.Is(err, errGone) {\n\t\treturn 0, fmt.Errorf(\"double: %w\", err)\n\t}\n\treturn r.n * 2, nil\n}\n", "fmt.Errorf(\"double"},
		"two checks":       {"func double(s string) (int, error) {\n\tr, err := find(s)\n\tif errors.Is(err, strconv.ErrRange) {\n\t\treturn 9, nil\n\t}\n\tfmt.Print()\n\tswitch {\n\tcase errors.Is(err, strconv.ErrSyntax):\n\t\treturn 0, err\n\t}\n\treturn r.n * 2, nil\n}\n", "return 0, err"},
		"an ok":            {"func double(s string) (int, error) {\n\tr, ok := known(s)\n\tif !ok && len(s) > 1 {\n\t\treturn 0, errGone\n\t}\n\treturn r.n * 2, nil\n}\n", "return 0, errGone"},
		"checked late":     {"func double(s string) (int, error) {\n\tr, err := find(s)\n\tdefer fmt.Print(r.n)\n\tif err != nil {\n\t\treturn 0, fmt.Errorf(\"double: %w\", err)\n\t}\n\treturn r.n * 2, nil\n}\n", "fmt.Errorf(\"double"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after := proposals(t, findsRecords+test.function)
			if len(after) == 0 {
				t.Error("no fix")
			}
			for _, text := range after {
				_, text, _ = strings.Cut(text, "func double(")
				if guard, check := strings.Index(text, "r == nil"), strings.Index(text, test.check); guard >= 0 && guard < check {
					t.Errorf("the guard stands before the check:\n%s", text)
				}
			}
		})
	}
}

// What a guard says of a value that is nil goes through no part of it.
func TestGuardsDoNotReadWhatIsNil(t *testing.T) {
	const step = "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\ntype step struct {\n\tname string\n\tnext *step\n}\n\n"
	for name, source := range map[string]string{
		"the wording of another error": step + "func (s *step) run(n int) error {\n\tname := s.name\n\tif n > 3 {\n\t\treturn fmt.Errorf(\"%s: %w\", s.name, errors.New(\"failed\"))\n\t}\n\tfmt.Println(name)\n\treturn s.next.run(n + 1)\n}\n\nfunc main() { fmt.Println((&step{name: \"one\", next: &step{name: \"two\"}}).run(0)) }\n",
		"what it was looked up by":     step + "var all = map[string]*step{}\n\nfunc find(name string) *step { return all[name] }\n\nfunc last(s *step) (string, error) {\n\tif s.next != nil {\n\t\treturn \"\", errors.New(\"next\")\n\t}\n\ts = find(s.name)\n\treturn s.name, nil\n}\n\nfunc main() { fmt.Println(last(&step{name: \"one\"})) }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if after := proposals(t, source); len(after) == 0 {
				t.Error("no fix")
			}
		})
	}
}

// The text of a guard asks for the length that the guard asks for.
func TestGuardsSayWhatTheyAskFor(t *testing.T) {
	for _, test := range []struct{ call, body, guard, text string }{
		{`unquote("'")`, "return line[1 : len(line)-1], nil", "len(line) < 2", "line has %d elements, want at least 2"},
		{`unquote("'")`, "return string(line[len(line)-2]), nil", "len(line) < 2", "line has %d elements, want at least 2"},
		{`unquote("'")`, "others := []string{line}\n\treturn others[len(line)], nil", "\tif len(line) >= len(others) {", "index %d is out of range"},
	} {
		t.Run(test.body, func(t *testing.T) {
			t.Parallel()
			after := strings.Join(proposals(t, "package main\n\nimport \"fmt\"\n\nfunc unquote(line string) (string, error) {\n\t"+test.body+"\n}\n\nfunc main() { fmt.Println("+test.call+") }\n"), "\n")
			if !strings.Contains(after, test.guard) || !strings.Contains(after, test.text) {
				t.Errorf("no %q that says %q in\n%s", test.guard, test.text, after)
			}
		})
	}
}
