package choose_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// journal writes a session of one crash.
func journal(t *testing.T, dir, name string, bodies ...session.Body) string {
	t.Helper()
	path := filepath.Join(dir, name+".jsonl")
	at := noon
	j, err := session.CreateJournal(path, func() time.Time { at = at.Add(time.Second); return at })
	if err != nil {
		t.Fatal(err)
	}
	stop := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: class, Message: "assignment to entry in nil map"}}
	for _, b := range append([]session.Body{&session.Started{ID: name}, &session.Stopped{Stop: stop}}, bodies...) {
		if _, err := j.Append("engine", b); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// source is the model that is asked in these sessions.
func source(model string) patch.Source {
	return patch.Source{Provider: "ollama", Model: model, Prompt: "whole-function"}
}

// asked is a model's request with its answer and one candidate of it.
func asked(request, model string, verdict verdict.Verdict) []session.Body {
	return []session.Body{
		&session.Asked{Request: request, Source: patch.Source{Model: "auto"}, Round: 1},
		&session.Prompted{Request: request, Source: source(model), Prompt: strings.Repeat("long ", 2000)},
		&session.Proposed{Request: request, Candidate: patch.Candidate{ID: "c" + request, Source: source(model), Title: "make the map"}},
		&session.Answered{Request: request, Text: "…", Tokens: 10, Candidates: 1},
		&session.Proved{Candidate: "c" + request, Verdict: verdict},
	}
}

func judged(request string, j session.Judgement) []session.Body {
	return []session.Body{
		&session.Decided{Candidate: "c" + request, Decision: session.Approved},
		&session.Applied{Candidate: "c" + request},
		&session.Judged{Candidate: "c" + request, Judgement: j},
	}
}

func TestTallies(t *testing.T) {
	verified, failed := verdict.Verdict{Verified: true}, verdict.Verdict{}
	for _, c := range []struct {
		name   string
		bodies []session.Body
		want   choose.Tally
	}{
		{"fixed", append(asked("a1", "m", verified), judged("a1", session.Fixed)...), choose.Tally{Asked: 1, Candidates: 1, Verified: 1, Right: 1}},
		{"came back", append(asked("a1", "m", verified), judged("a1", session.CameBack)...), choose.Tally{Asked: 1, Candidates: 1, Verified: 1}},
		{"undone", append(append(asked("a1", "m", verified), judged("a1", session.Fixed)...), &session.Undone{Candidate: "ca1"}), choose.Tally{Asked: 1, Candidates: 1, Verified: 1, Open: 1}},
		{"verified only", asked("a1", "m", verified), choose.Tally{Asked: 1, Candidates: 1, Verified: 1, Open: 1}},
		{"failed", asked("a1", "m", failed), choose.Tally{Asked: 1, Candidates: 1}},
		{"masking", asked("a1", "m", verdict.Verdict{Verified: true, Masking: true}), choose.Tally{Asked: 1, Candidates: 1}},
		{"rejected", append(asked("a1", "m", verified), &session.Decided{Candidate: "ca1", Decision: session.Rejected}), choose.Tally{Asked: 1, Candidates: 1, Rejected: 1}},
		{"right at the second try", append(append(asked("a1", "m", failed), asked("a2", "m", verified)...), judged("a2", session.Fixed)...), choose.Tally{Asked: 1, Candidates: 1, Verified: 1, Right: 1}},
		{"not reached at all", []session.Body{&session.Asked{Request: "a1", Source: source("m")}, &session.Prompted{Request: "a1", Source: source("m")},
			&session.Answered{Request: "a1", Err: "connection refused"}}, choose.Tally{}},
		{"canceled", []session.Body{&session.Asked{Request: "a1", Source: source("m")}, &session.Prompted{Request: "a1", Source: source("m")},
			&session.Answered{Request: "a1", Text: "The ma", Err: session.Canceled}}, choose.Tally{}},
		{"no use", []session.Body{&session.Asked{Request: "a1", Source: source("m")}, &session.Prompted{Request: "a1", Source: source("m")},
			&session.Answered{Request: "a1", Text: "I cannot.", Tokens: 3, Err: "the reply has no code"}}, choose.Tally{Asked: 1}},
		{"the built-in fixer alone", []session.Body{&session.Asked{Request: "a1", Source: patch.Source{Provider: "builtin", Model: "builtin/rules"}},
			&session.Answered{Request: "a1", Candidates: 2}}, choose.Tally{}},
	} {
		dir := t.TempDir()
		journal(t, dir, "20261121-120000-nil-map-write", c.bodies...)
		r, err := choose.LoadRecords(filepath.Join(dir, "none.json"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Scan(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		results := r.Results()
		if got := results.Of("ollama/m", "whole-function", class); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if got := results.Of("ollama/m", "", ""); got != c.want {
			t.Errorf("%s: of all prompts and classes: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestScan(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "state", "records.json")
	first := journal(t, dir, "20261121-120000-nil-map-write", asked("a1", "m", verdict.Verdict{Verified: true})...)
	scan := func() (choose.Records, bool) {
		t.Helper()
		r, err := choose.LoadRecords(kept)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := r.Scan(t.Context(), dir)
		if err == nil {
			err = r.Save(kept)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r, changed
	}
	if _, changed := scan(); !changed {
		t.Error("a new journal changes nothing")
	}
	if r, changed := scan(); changed || r.Results().Of("ollama/m", "", class).Asked != 1 {
		t.Errorf("a journal is read again: %+v", r)
	}
	journal(t, dir, "20261121-130000-nil-map-write", asked("a1", "m", verdict.Verdict{})...)
	torn := journal(t, dir, "20261121-140000-nil-map-write", asked("a1", "m", verdict.Verdict{})...)
	data, err := os.ReadFile(torn)
	if err == nil {
		err = os.WriteFile(torn, data[:len(data)-10], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r, changed := scan(); !changed || r.Results().Of("ollama/m", "", class).Asked != 3 {
		t.Errorf("of three journals, one torn: %+v", r)
	}
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if r, changed := scan(); !changed || len(r.Journals) != 2 {
		t.Errorf("of a journal that is gone: %+v", r)
	}
	// the records of another module stay
	other := t.TempDir()
	journal(t, other, "20261121-120000-nil-map-write", asked("a1", "m", verdict.Verdict{})...)
	dir = other
	if r, _ := scan(); len(r.Journals) != 3 {
		t.Errorf("of two modules: %+v", r)
	}
	if err := os.WriteFile(kept, []byte(`{"version":99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, changed := scan(); !changed || len(r.Journals) != 1 {
		t.Errorf("of another version: %+v", r)
	}
}

func TestReadBench(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	if list, err := choose.ReadBench(path); err != nil || list != nil {
		t.Errorf("a file that is not there: %v, %v", list, err)
	}
	for text, want := range map[string]string{
		`[{"model":"ollama/m","prompt":"whole-function","class":"nil-map-write","cases":50,"right":41,"verified":44}]`: "",
		`[{"model":"ollama/m","class":"x","cases":5,"right":6}]`:                                                       "entry 1",
		`[{"class":"x"}]`: "entry 1",
		`{`:               "unexpected EOF",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := choose.ReadBench(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err != nil {
			continue
		}
		var r choose.Results
		r.AddBench(list)
		if got := r.Of("ollama/m", "whole-function", class); got.Words() != "41 of 50 right" || got.Open != 0 {
			t.Errorf("measured %+v", got)
		}
	}
}

// provider is one that may be silent, or have models.
type provider struct {
	models []llm.Info
	err    error
	asked  chan string
}

func (p *provider) Models(context.Context) ([]llm.Info, error) { return p.models, p.err }

func (p *provider) Open(_ context.Context, name string) (llm.Model, error) {
	return answering{llm.Info{Provider: "ollama", Name: name}, p.asked}, nil
}

type answering struct {
	info  llm.Info
	asked chan string
}

func (m answering) Info() llm.Info { return m.info }

func (m answering) Complete(ctx context.Context, _ llm.Request, _ func(string)) (llm.Answer, error) {
	m.asked <- m.info.Name
	<-ctx.Done()
	return llm.Answer{}, ctx.Err()
}

func TestMatcher(t *testing.T) {
	state, logs := t.TempDir(), t.TempDir()
	journal(t, logs, "20261121-120000-nil-map-write", append(asked("a1", "b:7b", verdict.Verdict{Verified: true}), judged("a1", session.Fixed)...)...)
	p := &provider{models: []llm.Info{{Provider: "ollama", Name: "a:7b", Parameters: "7B"}, {Provider: "ollama", Name: "b:7b", Parameters: "7B"}}}
	o := choose.Options{Sources: []catalog.Source{{Name: "ollama", Provider: p}}, Memory: 16 << 30, Logs: logs, Prompts: prompts,
		Catalog: filepath.Join(state, "catalog.json"), Records: filepath.Join(state, "records.json"), Bench: filepath.Join(state, "bench.json")}
	m := choose.New(o)
	chosen := make(chan string, 1)
	go func() {
		c, err := m.Choose(t.Context(), class, choose.Auto, "")
		chosen <- fmt.Sprint(c.Model.Name, " ", c.Reason, " ", err)
	}()
	select {
	case got := <-chosen:
		t.Errorf("chosen before anything is known: %s", got)
	case <-time.After(10 * time.Millisecond):
	}
	m.Look(t.Context())
	if got := <-chosen; got != "b:7b 1 of 1 right on this class <nil>" {
		t.Errorf("chosen: %s", got)
	}
	if err := m.Trouble(); len(err) > 0 {
		t.Errorf("trouble: %v", err)
	}
	if c, err := m.Choose(t.Context(), class, "ollama/unlisted:1b", ""); err != nil || c.Model.Name != "unlisted:1b" || c.Prompt != "whole-function" {
		t.Errorf("a model that no list names: %+v, %v", c, err)
	}

	// The next process knows it before the provider has answered.
	p.err = advice.Add(llm.ErrUnavailable, "start it with: ollama serve")
	next := choose.New(o)
	next.Recall()
	if _, ok := next.Catalog().Find("ollama/a:7b"); !ok {
		t.Error("the catalog was not kept")
	}
	next.Look(t.Context())
	if _, err := next.Choose(t.Context(), class, "", ""); err == nil || !strings.Contains(err.Error(), llm.ErrUnavailable.Error()) || !strings.Contains(advice.Of(err), "ollama serve") {
		t.Errorf("of a silent provider: %v", err)
	}
}

func TestProbeLoadedGivesWay(t *testing.T) {
	p := &provider{asked: make(chan string, 9), models: []llm.Info{{Provider: "ollama", Name: "cold:7b"}, {Provider: "ollama", Name: "hot:7b", Loaded: true},
		{Provider: "ollama", Name: "elsewhere", Loaded: true, Remote: true}}}
	m := choose.New(choose.Options{Sources: []catalog.Source{{Name: "ollama", Provider: p}}, Prompts: prompts})
	m.Look(t.Context())
	ended := make(chan struct{})
	go func() { m.ProbeLoaded(t.Context()); close(ended) }()
	if got := <-p.asked; got != "hot:7b" {
		t.Errorf("probed %s", got)
	}
	if _, err := m.Choose(t.Context(), class, "", ""); err != nil {
		t.Error(err)
	}
	<-ended // by the choice: the model waits for the person
	if len(p.asked) > 0 {
		t.Errorf("probed too: %s", <-p.asked)
	}
	if e, _ := m.Catalog().Find("ollama/hot:7b"); e.Probe != nil {
		t.Error("a probe that was cut short was kept")
	}
}
