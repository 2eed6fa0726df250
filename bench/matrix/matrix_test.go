package matrix

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/llm"
)

func testPlan(t *testing.T) Plan {
	t.Helper()
	p, err := NewPlan([]Column{{Model: "ollama/x:7b", Prompt: Auto}, {Model: Builtin}},
		[]Case{{Name: "b", Class: "deadlock", Fixable: true}, {Name: "a", Class: "custom", Fixable: true}, {Name: Hidden("c"), Class: "custom", Fixable: true, Closed: true}}, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func found(c Cell) (Result, Detail) {
	r := Result{Cell: c, Flags: Flags(c.Column*7 + c.Case*3 + c.Trial), Tokens: c.Trial}
	return r, Detail{Candidates: []Candidate{{Title: fmt.Sprint(c)}}}
}

func add(t *testing.T, s *Store, cells ...Cell) {
	t.Helper()
	for _, c := range cells {
		r, d := found(c)
		if err := s.Add(r, d); err != nil {
			t.Fatal(err)
		}
	}
}

// Every cell is in one shard, and has a place of its own.
func TestShards(t *testing.T) {
	p := testPlan(t)
	if p.Columns[0].Model != Builtin || p.Cases[0].Name != "a" {
		t.Errorf("not sorted: %+v", p)
	}
	seen := map[Cell]int{}
	for n := range 5 {
		for _, c := range p.Cells(Shard{n, 5}) {
			seen[c]++
			if p.cellAt(p.Index(c)) != c {
				t.Errorf("%v is at %d", c, p.Index(c))
			}
		}
	}
	for _, c := range p.Cells(Shard{}) {
		if seen[c] != 1 {
			t.Errorf("%v is in %d shards", c, seen[c])
		}
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/2/3", "-1/2"} {
		if _, err := ParseShard(bad); err == nil {
			t.Errorf("%q is a shard", bad)
		}
	}
	if _, err := NewPlan(nil, []Case{{Name: "a"}, {Name: "a"}}, 1, 1); err == nil {
		t.Error("two cases of one name")
	}
}

// What was killed goes on: a torn line is cut off, what is done is not done again.
func TestKilledRunGoesOn(t *testing.T) {
	p, dir := testPlan(t), t.TempDir()
	s, err := Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, p); err == nil {
		t.Error("two processes write one run")
	}
	cells := p.Cells(Shard{})
	add(t, s, cells[:3]...)
	if err := s.Asked(cells[3], "abc"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, resultFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"col":0,"case":1,"tr`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if s, err = Create(dir, p); err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		if s.Done(c) != (i < 3) {
			t.Errorf("cell %d: done is %v", i, s.Done(c))
		}
	}
	if got := s.Answers(cells[3]); len(got) != 1 || got[0] != "abc" {
		t.Errorf("answers: %q", got)
	}
	add(t, s, cells[3:]...)
	if r, d := found(cells[0]); s.Add(r, d) == nil {
		t.Error("a cell has two results")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := Scan(dir, p, func(r Result) {
		n++
		if want, _ := found(r.Cell); r != want {
			t.Errorf("%+v", r)
		}
	}); err != nil || n != p.Len() {
		t.Errorf("%d results, %v", n, err)
	}
	other := p
	other.Trials++
	if _, err := Create(dir, other); !errors.Is(err, ErrOtherPlan) {
		t.Errorf("another plan: %v", err)
	}
}

// Of a closed case, neither details nor the words of an error are written.
func TestClosedCasesAreNotWritten(t *testing.T) {
	p, dir := testPlan(t), t.TempDir()
	s, err := Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	closed := Cell{0, 2, 0}
	if !p.Cases[closed.Case].Closed {
		t.Fatal("not the closed one")
	}
	add(t, s, closed)
	if err := errors.Join(s.Trouble(Trouble{closed, "secret"}), s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{detailFile, troubleFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || strings.Contains(string(text), "secret") || strings.Contains(string(text), "candidates") {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
}

// Eight shards, two of which ran some cells twice, give the bytes of one run.
func TestMergeIsOneRun(t *testing.T) {
	p := testPlan(t)
	write := func(cells []Cell) string {
		dir := t.TempDir()
		s, err := Create(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		rand.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		add(t, s, cells...)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	var shards []string
	for n := range 8 {
		cells := p.Cells(Shard{n, 8})
		shards = append(shards, write(cells))
		if n < 2 { // it was killed, and its successor did not find what it had
			shards = append(shards, write(cells[:2]))
		}
	}
	merge := func(from ...string) string {
		dir := filepath.Join(t.TempDir(), "merged")
		if differing, err := Merge(dir, from); err != nil || differing != 0 {
			t.Fatal(differing, err)
		}
		return dir
	}
	many, one := merge(shards...), merge(write(p.Cells(Shard{})))
	for _, name := range []string{planFile, resultFile, detailFile, askedFile} {
		x, err1 := os.ReadFile(filepath.Join(many, name))
		y, err2 := os.ReadFile(filepath.Join(one, name))
		if err := errors.Join(err1, err2); err != nil || string(x) != string(y) {
			t.Errorf("%s differs: %v\n%s\n%s", name, err, x, y)
		}
	}
	if _, err := Merge(many, shards); err == nil {
		t.Error("merged over a run")
	}
}

// The key of an answer holds all that it depends on: repeated trials are never
// served by one answer.
func TestKeyHoldsEverything(t *testing.T) {
	request := llm.Request{Messages: []llm.Message{{Role: "user", Text: "why?"}}, Seed: 1, MaxTokens: 100, Temperature: 0.2}
	column, of := Column{Model: "m", Info: llm.Info{Digest: "d"}, Prompt: "p"}, Case{Hash: "h"}
	key := func(change func(*llm.Request, *Column, *Case), trial, repeat int) string {
		r, c, o := request, column, of
		if change != nil {
			change(&r, &c, &o)
		}
		return NewKey(c, o, trial, r, repeat).String()
	}
	seen := map[string]string{}
	for what, k := range map[string]string{
		"same": key(nil, 0, 0), "trial": key(nil, 1, 0), "repeat": key(nil, 0, 1),
		"text":        key(func(r *llm.Request, _ *Column, _ *Case) { r.Messages = []llm.Message{{Role: "user", Text: "how?"}} }, 0, 0),
		"seed":        key(func(r *llm.Request, _ *Column, _ *Case) { r.Seed = 2 }, 0, 0),
		"tokens":      key(func(r *llm.Request, _ *Column, _ *Case) { r.MaxTokens = 200 }, 0, 0),
		"temperature": key(func(r *llm.Request, _ *Column, _ *Case) { r.Temperature = 0 }, 0, 0),
		"digest":      key(func(_ *llm.Request, c *Column, _ *Case) { c.Info.Digest = "e" }, 0, 0),
		"model":       key(func(_ *llm.Request, c *Column, _ *Case) { c.Model = "n" }, 0, 0),
		"prompt":      key(func(_ *llm.Request, c *Column, _ *Case) { c.Prompt = "q" }, 0, 0),
		"case":        key(func(_ *llm.Request, _ *Column, o *Case) { o.Hash = "i" }, 0, 0),
	} {
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have the same key", what, other)
		}
		seen[k] = what
	}
	if again := key(nil, 0, 0); seen[again] != "same" {
		t.Error("the same request has two keys")
	}
}

func TestAnswersAreStored(t *testing.T) {
	a := AnswersOf(t.TempDir())
	want := Stored{Key: Key{Model: "m"}, Messages: []llm.Message{{Role: "user", Text: "why?"}}, Answer: llm.Answer{Text: "so", Took: 5, FirstToken: 3}}
	key, err := a.Put(want)
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := a.Get(key)
	if err != nil || !ok || got.Answer.Took != 5 || got.Answer.FirstToken != 3 || got.Answer.Text != "so" || got.Messages[0].Text != "why?" {
		t.Errorf("%+v %v %v", got, ok, err)
	}
	if _, ok, err := a.Get(Key{Model: "n"}.String()); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}

// Results are read by a scanner of our own where they are as we write them, and
// by encoding/json where not; both read the same.
func TestDecode(t *testing.T) {
	full := Result{Cell: Cell{1, 2, 3}, Flags: Class | ByBuiltin, Effect: "not verified", Model: Labels{1, 2, 3, 4, 5}, Builtin: Labels{All: 1}, Edit: 1, Requests: 2, Rounds: 3,
		Lookups: 4, PromptTokens: 5, Tokens: 6, Cost: 7, FirstToken: 8, Answering: 9, Verifying: 10, Total: 11, Overhead: 12, Drifted: 13, Used: "minimal", Answer: "right"}
	line := lineOf(full)
	var scanned Result
	if !(&scanner{rest: line, words: map[string]string{}}).result(&scanned) || scanned != full {
		t.Errorf("scanned %+v", scanned)
	}
	for text, want := range map[string]Result{
		string(line): full, `{"col":1,"case":2,"trial":3,"flags":5,"effect":"a\u0062","later":[1,{}]}`: {Cell: Cell{1, 2, 3}, Flags: 5, Effect: "ab"},
		` {"col" : 4 }`: {Cell: Cell{Column: 4}},
	} {
		list, err := (&decoder{part: []byte(text + "\n")}).lines()
		if err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%s: %+v %v", text, list, err)
		}
	}
	for _, bad := range []string{"", "{", `{"col":}`, `{"col":1.5}`, `{"col":99999999999999999999}`, `{"flags":-1}`, `{"col":1}}`, "[]"} {
		if list, err := (&decoder{part: []byte(bad + "\n")}).lines(); err == nil {
			t.Errorf("%q: %+v", bad, list)
		}
	}
}

// Details of a cell are found among others, also in lines longer than a part.
func TestDetails(t *testing.T) {
	p, dir := testPlan(t), t.TempDir()
	s, err := Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("long ", partSize/3)
	for _, c := range p.Cells(Shard{}) {
		r, d := found(c)
		if c.Trial == 1 {
			d.Candidates[0].Diff = long
		}
		if err := s.Add(r, d); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range p.Cells(Shard{}) {
		n := 0
		err := Details(dir, func(c Cell) bool { return c == want }, func(d Detail) error {
			n++
			if d.Cell != want || d.Candidates[0].Title != fmt.Sprint(want) || want.Trial == 1 && d.Candidates[0].Diff != long {
				t.Errorf("%v: %v %.40s", want, d.Cell, d.Candidates[0].Title)
			}
			return nil
		})
		if err != nil || n != 1 && !p.Cases[want.Case].Closed {
			t.Errorf("%v: %d, %v", want, n, err)
		}
	}
	for line, want := range map[string]bool{`{"col":1,"case":2,"trial":3,"name":"x"}`: true, `{"case":2,"col":1,"trial":3}`: false, `{"col":-1,"case":`: false, `x`: false, ``: false} {
		if c, ok := cellOf([]byte(line)); ok != want || ok && c != (Cell{1, 2, 3}) {
			t.Errorf("%s: %v %t", line, c, ok)
		}
	}
}

// A cell that was run twice with different findings is said; one of them counts,
// whichever run is named first.
func TestMergeSaysWhatDiffers(t *testing.T) {
	p := testPlan(t)
	write := func(flags Flags) string {
		dir := t.TempDir()
		s, err := Create(dir, p)
		if err == nil {
			err = errors.Join(s.Add(Result{Cell: Cell{0, 0, 0}, Flags: flags}, Detail{}), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a, b := write(Right), write(Right|RightFirst)
	var texts []string
	for _, from := range [][]string{{a, b}, {b, a}} {
		dir := filepath.Join(t.TempDir(), "merged")
		if differing, err := Merge(dir, from); err != nil || differing != 1 {
			t.Errorf("%d differ, %v", differing, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, resultFile))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] || strings.Count(texts[0], "\n") != 1 {
		t.Errorf("%q", texts)
	}
}
