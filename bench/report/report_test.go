package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
)

// made writes a run of these results.
func made(t testing.TB, p matrix.Plan, results []matrix.Result) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	s, err := matrix.Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := s.Add(r, matrix.Detail{Candidates: []matrix.Candidate{{Title: "an edit", Diff: "-a\n+b\n", Checks: []matrix.Check{{Name: "build", Status: "pass"}}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func plan(t testing.TB, cases, trials int, columns ...string) matrix.Plan {
	t.Helper()
	var cols []matrix.Column
	for _, name := range columns {
		cols = append(cols, matrix.Column{Model: name, Prompt: map[bool]string{false: matrix.Auto}[name == matrix.Builtin]})
	}
	var list []matrix.Case
	for i := range cases {
		list = append(list, matrix.Case{Name: fmt.Sprintf("case-%03d", i), Hash: "h", Class: []string{"deadlock", "custom", "reflect"}[i%3], Fault: "here", Fixable: true, Size: 4})
	}
	p, err := matrix.NewPlan(cols, list, trials, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawn is a number in [0, 1) that a cell always gets.
func drawn(words ...any) float64 {
	h := fnv.New64a()
	fmt.Fprint(h, words...)
	return rand.New(rand.NewPCG(h.Sum64(), 1)).Float64()
}

// truth are the true pass rates of three scripted models, set in advance.
var truth = map[string]float64{"scripted/strong": 0.9, "scripted/sloppy": 0.5, "scripted/hostile": 0}

func played(p matrix.Plan, seed int) []matrix.Result {
	var list []matrix.Result
	for _, c := range p.Cells(matrix.Shard{}) {
		f := matrix.Class | matrix.Culprit | matrix.Calm
		if drawn(seed, c) < truth[p.Columns[c.Column].Model] {
			f |= matrix.OwnUsable | matrix.OwnScope | matrix.OwnBuilds | matrix.OwnReruns | matrix.OwnTests | matrix.OwnVerified | matrix.OwnRight | matrix.Right | matrix.RightFirst | matrix.Verified
		}
		list = append(list, matrix.Result{Cell: c, Flags: f, Edit: 4, Requests: 1, Tokens: 10, PromptTokens: 100, Answering: int64(c.Case), Verifying: 5, Total: 9})
	}
	return list
}

// The intervals hold the rates that the models were made with, about as often as
// they say; the order of the models is found.
func TestKnownStrengths(t *testing.T) {
	right := Scores[0]
	holds, all := 0, 0
	for seed := range 40 {
		p := plan(t, 90, 1, "scripted/strong", "scripted/sloppy", "scripted/hostile")
		s := NewSummary(p)
		for _, r := range played(p, seed) {
			s.Add(r)
		}
		for i, c := range p.Columns {
			share := s.Share(i, right, fixable)
			all++
			if rate := 100 * truth[c.Model]; share.Low <= rate && rate <= share.High {
				holds++
			}
		}
		if o := s.order(View{}); p.Columns[o[0]].Model != "scripted/strong" || p.Columns[o[2]].Model != "scripted/hostile" {
			t.Errorf("seed %d: the order is %v", seed, o)
		}
	}
	if share := float64(holds) / float64(all); share < 0.9 {
		t.Errorf("the interval holds the truth in %.0f %%", 100*share)
	}
}

// Repeated trials of a case are not so many cases.
func TestTrialsNarrowNothing(t *testing.T) {
	once, often := plan(t, 20, 1, "m/x"), plan(t, 20, 50, "m/x")
	a, b := NewSummary(once), NewSummary(often)
	fill := func(s *Summary) {
		for _, c := range s.Plan.Cells(matrix.Shard{}) {
			s.Add(matrix.Result{Cell: c, Flags: matrix.Flags(0).Set(matrix.OwnRight, c.Case%2 == 0)})
		}
	}
	fill(a)
	fill(b)
	x, y := a.Share(0, Scores[0], every), b.Share(0, Scores[0], every)
	if math.Abs(x.Low-y.Low) > 1e-9 || math.Abs(x.High-y.High) > 1e-9 {
		t.Errorf("%+v %+v", x, y)
	}
	if got := b.PassAtK(0, 50, every); got != 0.5 {
		t.Errorf("pass@50 is %v", got)
	}
}

// Shares are of the planned cells: what has no result is not right, and is said.
func TestSharesAreOfPlannedCells(t *testing.T) {
	p := plan(t, 10, 1, "m/x", "m/y")
	s := NewSummary(p)
	for _, c := range p.Cells(matrix.Shard{})[:4] {
		s.Add(matrix.Result{Cell: c, Flags: matrix.OwnRight})
	}
	share := s.Share(0, Scores[0], every)
	if share.N != 4 || share.Of != 10 || share.Open != 6 {
		t.Errorf("%+v", share)
	}
	if none := s.Share(1, Scores[0], every); !none.Unknown() || share.Unknown() {
		t.Errorf("nothing is known of %+v, and something of %+v", none, share)
	}
	var b bytes.Buffer
	if err := Text(&b, s, map[matrix.Cell]string{{Case: 7}: "the server\x1b[31m went away"}, View{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 of 20 cells have a result", "The others count as not right", "1 cell without a result because of an error; the first: m/x: the server went away", "40 (17–69)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
}

// Of one closed case nothing comes out, in any format; and no closed case is named.
func TestClosedCasesStayClosed(t *testing.T) {
	p := plan(t, 12, 1, "m/x", matrix.Builtin)
	p.Cases[3].Closed, p.Cases[3].Name, p.Cases[3].Class = true, matrix.Hidden("case-003"), "fatal"
	results := played(p, 1)
	for i := range results {
		results[i].Flags |= matrix.OwnRight
	}
	dir := made(t, p, results)
	s, err := Summarize(dir)
	if err != nil {
		t.Fatal(err)
	}
	if share := s.Share(0, Scores[0], func(c matrix.Case) bool { return c.Class == "fatal" }); !share.Hidden {
		t.Errorf("%+v", share)
	}
	for name, text := range formats(t, dir, s) {
		if strings.Contains(text, p.Cases[3].Name) || strings.Contains(text, "case-003") {
			t.Errorf("%s names the closed case:\n%s", name, text)
		}
	}
	text := formats(t, dir, s)["text"]
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "fatal") && strings.Contains(l, "100") {
			t.Errorf("%s", l)
		}
	}
}

func formats(t *testing.T, dir string, s *Summary) map[string]string {
	t.Helper()
	all := map[string]string{}
	write := func(name string, f func(*bytes.Buffer) error) {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	write("text", func(b *bytes.Buffer) error { return Text(b, s, nil, View{}) })
	write("csv", func(b *bytes.Buffer) error { return CSV(b, s, View{}) })
	write("markdown", func(b *bytes.Buffer) error { return Markdown(b, s, View{}) })
	write("junit", func(b *bytes.Buffer) error { return JUnit(b, s, View{}) })
	write("jsonl", func(b *bytes.Buffer) error { return JSONLines(b, dir, View{}) })
	write("html", func(b *bytes.Buffer) error { return Page(b, dir, s, nil, View{}) })
	return all
}

// The same results in any order give the same bytes, and what programs read can
// be read.
func TestFormats(t *testing.T) {
	p := plan(t, 12, 2, "m/x", "m/y")
	results := played(p, 1)
	one := made(t, p, results)
	rand.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	two := made(t, p, results)
	a, err1 := Summarize(one)
	b, err2 := Summarize(two)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	x, y := formats(t, one, a), formats(t, two, b)
	for name := range x {
		if x[name] != y[name] {
			t.Errorf("%s depends on the order:\n%s\n%s", name, x[name], y[name])
		}
	}
	if rows, err := csv.NewReader(strings.NewReader(x["csv"])).ReadAll(); err != nil || len(rows) != 1+2*4 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(x["junit"]), &suites); err != nil || len(suites.Suites) != 2 || suites.Suites[0].Tests != 12 {
		t.Errorf("%+v %v", suites, err)
	}
	for line := range strings.Lines(x["jsonl"]) {
		var e exported
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Model == "" || e.Case == "" {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if n := strings.Count(x["jsonl"], "\n"); n != p.Len() {
		t.Errorf("%d lines", n)
	}
}

// What is better in truth is found, what is the same is not called different.
func TestCompare(t *testing.T) {
	p := plan(t, 90, 1, "scripted/strong", "scripted/sloppy")
	dir := made(t, p, played(p, 1))
	right := Scores[0]
	list, err := Compare(dir, "scripted/sloppy", dir, "scripted/strong", right)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	c := list[0]
	if c.Verdict() != "better" || c.P > 0.001 || c.Low > 40 || c.High < 40 || c.Pairs != 90 || len(c.Better)-len(c.Worse) != c.OnlyB-c.OnlyA {
		t.Errorf("%+v", c)
	}
	if list, err = Compare(dir, "", dir, "", right); err != nil || len(list) != 2 || list[0].Verdict() != "unsure" || list[0].P != 1 {
		t.Errorf("%+v %v", list, err)
	}
	var b bytes.Buffer
	if err := CompareText(&b, []Comparison{c}, right); err != nil || !strings.Contains(b.String(), "scripted/sloppy → scripted/strong: better") {
		t.Errorf("%s %v", &b, err)
	}
	other := p
	other.Cases = append([]matrix.Case(nil), p.Cases...)
	for i := range other.Cases {
		other.Cases[i].Hash = "changed"
	}
	if _, err := Compare(dir, "scripted/sloppy", made(t, other, played(p, 1)), "scripted/sloppy", right); err == nil {
		t.Error("cases that have changed are compared")
	}
}

// The tables of the corpus have a column for each half, and hide what would tell
// of one closed case.
func TestCorpusTables(t *testing.T) {
	p := plan(t, 0, 1, matrix.Builtin, "scripted/strong")
	p.Cases = []matrix.Case{
		{Name: "a-1", Class: "a", Fault: "here", Fixable: true}, {Name: matrix.Hidden("a-4"), Class: "a", Fault: "elsewhere", Fixable: true, Closed: true},
		{Name: matrix.Hidden("a-5"), Class: "a", Fault: "here", Fixable: true, Closed: true}, {Name: "b-4", Class: "b", Fault: "here"},
		{Name: matrix.Hidden("b-1"), Class: "b", Fault: "here", Fixable: true, Closed: true},
	}
	top := matrix.Right | matrix.RightFirst | matrix.Verified
	results := []matrix.Result{
		{Cell: matrix.Cell{Column: 0, Case: 0}, Flags: top | matrix.Class, Effect: "repairs", Builtin: matrix.Labels{All: 1}, Verifying: 2000},
		{Cell: matrix.Cell{Column: 0, Case: 1}, Flags: matrix.Right | matrix.Verified | matrix.Misleads | matrix.Class, Effect: "declines", Builtin: matrix.Labels{All: 1}},
		{Cell: matrix.Cell{Column: 0, Case: 2}, Flags: matrix.NothingProposed | matrix.Calm},
		{Cell: matrix.Cell{Column: 0, Case: 3}, Flags: matrix.Calm},
		{Cell: matrix.Cell{Column: 0, Case: 4}, Flags: matrix.Failed | matrix.NothingProposed | matrix.Calm},
		{Cell: matrix.Cell{Column: 1, Case: 0}, Flags: top | matrix.OwnRight, Builtin: matrix.Labels{All: 1}, Model: matrix.Labels{All: 1, Hides: 1}},
		{Cell: matrix.Cell{Column: 1, Case: 1}, Flags: top | matrix.OwnRight | matrix.OwnFirst, Builtin: matrix.Labels{All: 1, Skips: 1}, Model: matrix.Labels{All: 1, Skips: 1}},
		{Cell: matrix.Cell{Column: 1, Case: 2}, Flags: matrix.Right | matrix.Misleads | matrix.Verified | matrix.OwnRight, Effect: "declines", Model: matrix.Labels{All: 1, Hides: 1}},
		{Cell: matrix.Cell{Column: 1, Case: 3}}, {Cell: matrix.Cell{Column: 1, Case: 4}, Flags: matrix.NothingProposed},
	}
	text, err := Corpus(made(t, p, results))
	if err != nil {
		t.Fatal(err)
	}
	alone, beside, _ := strings.Cut(text, "### Beside a strong model")
	for part, wants := range map[string][]string{alone: {
		"### The built-in fixer alone",
		"| right: some fix is, by the hidden check | **1 of 1**, 100 % (21–100) | **1 of 3**, 33 % (6–79) | **2 of 4**, 50 % (15–85) |",
		"| **right at first place** | **1 of 1**, 100 % (21–100) | **0 of 3**",
		"| **first place verified, wrong, and without a warning** | **0 of 1**, 0 % (0–79) | **1 of 3**",
		"| wrong first places by effect | – | declines 1 | declines 1 |",
		"| left alone where no edit helps | **1 of 1**",
		"| pausetui failed | **0 of 2**, 0 % (0–66) | **1 of 3**",
		"| a | 3 | 2/3 | 0/3 | 2/3 | 2/3 | 1/3 | 1/3 | 0/3 | 2.0 s |",
		"| classes of one closed case | 2 | – | – |",
	}, beside: {
		"| right answers of the model among the fixes | **1 of 1**, 100 % (21–100) | **2 of 3**",
		"| … beside which a right one stands first | **1 of 1**, 100 % (21–100) | **1 of 2**",
		"| … which stand first themselves | **0 of 1**, 0 % (0–79) | **1 of 2**",
		"| right fixes of the model with the label hides, skips, declines | 1, 0, 0 of 1 | 1, 1, 0 of 2 | 2, 1, 0 of 3 |",
		"| a-1 | here | strong |", "| b-4 | not local | builtin |",
	}} {
		for _, want := range wants {
			if !strings.Contains(part, want) {
				t.Errorf("%q is missing in\n%s", want, part)
			}
		}
	}
	if strings.Contains(text, "closed-") || strings.Contains(text, "| b |") {
		t.Errorf("a closed case is in\n%s", text)
	}
	readme := []byte("# A\n" + Begin + "\nold\n" + End + "\n# B\n")
	for range 2 { // writing again changes nothing
		got, ok := Insert(readme, "new\n")
		if !ok || string(got) != "# A\n"+Begin+"\n\nnew\n\n"+End+"\n# B\n" {
			t.Errorf("%q", got)
		}
		readme = got
	}
	if _, ok := Insert([]byte("# A\n"), "x"); ok {
		t.Error("no markers, and something was inserted")
	}
}

var kept = flag.String("million", "", "leave the run of BenchmarkReport in this directory")

// BenchmarkReport reads and adds up a million stored cells.
func BenchmarkReport(b *testing.B) {
	p := plan(b, 1000, 100, "a/1", "b/2", "c/3", "d/4", "e/5", "f/6", "g/7", "h/8", "i/9", "j/10")
	dir := filepath.Join(b.TempDir(), "run")
	s, err := matrix.Create(dir, p)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for i, r := range played(p, 1) {
		r.Flags |= matrix.Flags(i % 5)
		r.Effect, r.Used, r.Rounds, r.Lookups, r.FirstToken, r.Overhead = "repairs", "whole-function", 1, 2, int64(i%900), 4000 // as long as they get
		r.Model, r.Builtin = matrix.Labels{All: 1, Hides: i % 2}, matrix.Labels{All: 2, Declines: 1}
		if err := encoder.Encode(r); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(lines.Len()))
	if err := os.WriteFile(filepath.Join(dir, "results.jsonl"), lines.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	if *kept != "" { // for a measurement of the command
		if err := os.CopyFS(*kept, os.DirFS(dir)); err != nil {
			b.Fatal(err)
		}
	}
	lines = bytes.Buffer{}
	b.ReportAllocs()
	for b.Loop() {
		s, err := Summarize(dir)
		if err != nil || s.Done != p.Len() {
			b.Fatal(s, err)
		}
		if err := Text(&bytes.Buffer{}, s, nil, View{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A poor record of the other cases of a class cautions, and the record that is
// written names no class of one closed case.
func TestRecord(t *testing.T) {
	p := plan(t, 0, 1, matrix.Builtin, "scripted/strong")
	var results []matrix.Result
	add := func(name, class string, closed bool, flags matrix.Flags) {
		p.Cases = append(p.Cases, matrix.Case{Name: name, Class: class, Fixable: true, Closed: closed})
		results = append(results, matrix.Result{Cell: matrix.Cell{Case: len(p.Cases) - 1}, Flags: flags | matrix.ByBuiltin | matrix.Verified, Effect: "repairs"},
			matrix.Result{Cell: matrix.Cell{Column: 1, Case: len(p.Cases) - 1}, Flags: matrix.NothingProposed})
	}
	const right, wrong = matrix.RightFirst, matrix.Misleads
	add("a1", "a", false, wrong)
	add("a2", "a", false, right)
	add("a3", "a", false, wrong)
	add("b1", "b", false, right)
	add("b2", "b", true, wrong) // each has one other: no record
	add("c1", "c", false, right)
	add("c2", "c", false, right)
	add("c3", "c", false, wrong)
	dir := made(t, p, results)
	_, all, err := complete(dir)
	if err != nil {
		t.Fatal(err)
	}
	caution(p, all)
	want := map[string]bool{"a1": true, "a2": true, "a3": true, "c1": true, "c2": true}
	for _, r := range all {
		if r.cautioned != (want[r.of.Name] && r.Column == 0) {
			t.Errorf("%s: cautioned is %t", r.of.Name, r.cautioned)
		}
	}
	got, err := Record(dir)
	if err != nil || strings.Contains(string(got), `"b"`) || !strings.Contains(string(got), `"class": "a",
		"cases": 3,
		"right": 1,
		"verified": 3`) {
		t.Errorf("%s %v", got, err)
	}
}

// The scoreboard counts each case once, under the prompt that was used, and
// leaves out what has no result.
func TestScoreboard(t *testing.T) {
	p := plan(t, 4, 3, "ollama/x", "scripted/strong", matrix.Builtin)
	s := NewSummary(p)
	for _, c := range p.Cells(matrix.Shard{}) {
		if c.Case == 3 && c.Trial == 2 {
			continue
		}
		s.Add(matrix.Result{Cell: c, Used: "minimal", Flags: matrix.Flags(0).Set(matrix.OwnRight, c.Case == 0 && c.Trial < 2 || c.Case == 3).Set(matrix.OwnVerified, true)})
	}
	got := fmt.Sprint(s.Scoreboard()) // the classes of the cases are deadlock, custom, reflect, deadlock
	if want := "[{ollama/x minimal custom 1 0 1} {ollama/x minimal deadlock 1 1 1} {ollama/x minimal reflect 1 0 1}]"; got != want {
		t.Errorf("%s", got)
	}
}
