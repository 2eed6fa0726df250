package report

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
)

func TestRules(t *testing.T) {
	p := plan(t, 4, 1, matrix.Builtin)
	p.Cases[1].Closed, p.Cases[2].Closed = true, true
	dir := filepath.Join(t.TempDir(), "run")
	s, err := matrix.Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	rules := [][]string{{"bound/a", "nil/b"}, {"secret/x"}, {"secret/y"}, {"nil/b"}}
	for _, c := range p.Cells(matrix.Shard{}) {
		var list []matrix.Candidate
		for i, rule := range rules[c.Case] {
			list = append(list, matrix.Candidate{Rule: rule, Verified: i == 0, Right: rule == "bound/a", Checks: []matrix.Check{}})
		}
		flags := matrix.Verified
		if c.Case == 3 {
			flags |= matrix.Misleads
		}
		if err := s.Add(matrix.Result{Cell: c, Flags: flags}, matrix.Detail{Candidates: list}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := Rules(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"rule offered first verified right misled",
		"bound/a 1 1 1 1 0",
		"nil/b 2 1 1 0 1",
		"all of open cases 3 2 2 1 1",
		"closed cases with fixes 2 2 2 0 0",
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("printed\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
