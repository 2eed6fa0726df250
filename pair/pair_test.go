package pair_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/pair/role/roletest"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

func newRoom(o pair.Options) (*pair.Room, *pairtest.Engine) {
	e := pairtest.New()
	if o.Host == "" {
		o.Host = "anna"
	}
	r := pair.New(e, o)
	r.Open(pair.Door{})
	return r, e
}

// join has a newcomer come in, admitted by the host.
func join(t *testing.T, r *pair.Room, n pair.Newcomer) *pair.Seat {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	type result struct {
		seat *pair.Seat
		err  error
	}
	done := make(chan result, 1)
	go func() {
		s, err := r.Join(ctx, n)
		done <- result{s, err}
	}()
	var got result
	testsupport.Eventually(t, "the newcomer is in", func() bool {
		select {
		case got = <-done:
			return true
		default:
		}
		v, err := r.Host().Watch(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range v.People {
			if p.Waiting {
				if err := r.Host().Admit(p.Name); err != nil {
					t.Fatal(err)
				}
			}
		}
		return false
	})
	if got.err != nil {
		t.Fatal(got.err)
	}
	return got.seat
}

// reached are the names of the intents that reached the engine, without those
// of the room itself.
func reached(e *pairtest.Engine, by string) []string {
	var names []string
	for _, d := range e.Done() {
		if n, ok := d.Intent.(intent.Note); ok && n.Text != "hello" {
			continue
		}
		if d.By.Name == by {
			names = append(names, roletest.Name(d.Intent))
		}
	}
	return names
}

// As each role that each frontend can have; role.TestEveryIntentHasAnEffect fails
// for an intent that is not in the table.
func TestEveryIntentAsEachRole(t *testing.T) {
	for _, c := range []struct {
		via, name string
		apply     bool
		wheel     bool
		role      role.Role
	}{
		{"ssh", "viewer", false, false, role.Viewer}, {"ssh", "driver", false, true, role.Driver},
		{"editor", "viewer", false, false, role.Viewer}, {"editor", "driver", false, true, role.Driver},
		{"agent", "agent", false, false, role.Agent}, {"agent", "trusted agent", true, false, role.Approver},
		{"agent", "agent that drives", false, true, role.AgentDriver}, {"agent", "trusted agent that drives", true, true, role.ApproverDriver},
	} {
		t.Run(c.via+"/"+c.name, func(t *testing.T) {
			r, e := newRoom(pair.Options{MayApply: c.apply})
			s := join(t, r, pair.Newcomer{Name: "lea", Via: c.via, Agent: c.via == "agent"})
			if c.wheel {
				if err := r.Host().GiveWheel("LEA"); err != nil {
					t.Fatal(err)
				}
			}
			e.Done()
			for _, i := range roletest.Intents() {
				if _, quits := i.(intent.Quit); quits {
					continue
				}
				s.Do(i)
				want := c.role.Check(i) == nil
				if got := len(reached(e, "lea")) == 1; got != want {
					t.Errorf("%s reached the engine: %v", roletest.Name(i), got)
				}
			}
			s.Do(intent.Quit{})
			if !errors.Is(s.Why(), pair.ErrLeft) {
				t.Errorf("quit: %v", s.Why())
			}
			for _, i := range roletest.Intents() {
				s.Do(i)
			}
			if got := reached(e, "lea"); len(got) > 0 {
				t.Errorf("after the end: %q", got)
			}
		})
	}
}

// The frontends of others have a seat, which knows their role, and never the engine.
func TestFrontendsHaveOnlyASeat(t *testing.T) {
	for _, dir := range []string{"ssh", "dap", "mcp"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				of, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := of.X.(*ast.Ident); ok && (x.Name == "engine" && (of.Sel.Name == "Engine" || of.Sel.Name == "New") || x.Name == "pair" && of.Sel.Name == "Room") {
					t.Errorf("%s has %s.%s", file, x.Name, of.Sel.Name)
				}
				return true
			})
		}
	}
}

func TestNobodyIsInUnlessAdmitted(t *testing.T) {
	r, e := newRoom(pair.Options{Patience: 30 * time.Millisecond, Most: 2})
	if _, err := r.Join(t.Context(), pair.Newcomer{Name: "max"}); !errors.Is(err, pair.ErrRefused) {
		t.Errorf("unanswered: %v", err)
	}
	for _, d := range e.Done() {
		t.Errorf("the engine heard %+v of somebody who was not admitted", d)
	}
	lea := join(t, r, pair.Newcomer{Name: "lea\x1b[2J", Key: "SHA256:a"})
	if lea.Name != "lea" {
		t.Errorf("the name: %q", lea.Name)
	}
	second := join(t, r, pair.Newcomer{Name: "Anna"})
	if second.Name != "Anna-2" {
		t.Errorf("a name like the host's: %q", second.Name)
	}
	if _, err := r.Join(t.Context(), pair.Newcomer{Name: "x"}); !errors.Is(err, pair.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	lea.Leave()
	again, err := r.Join(t.Context(), pair.Newcomer{Name: "other", Key: "SHA256:a"}) // a lost line
	if err != nil || again.Name != "lea" {
		t.Fatalf("back again: %v", err)
	}
	if err := again.Kick("Anna-2"); !errors.Is(err, role.ErrRefused) {
		t.Errorf("a guest kicks: %v", err)
	}
	if err := r.Host().Ban("lea"); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Wait(t.Context(), 0, 0); !errors.Is(err, io.EOF) {
		t.Errorf("reads on after the ban: %v", err)
	}
	if _, err := r.Join(t.Context(), pair.Newcomer{Name: "lea", Key: "SHA256:a"}); !errors.Is(err, pair.ErrBanned) {
		t.Errorf("back after the ban: %v", err)
	}
	r.Shut(pair.ErrOver)
	if !errors.Is(second.Why(), pair.ErrOver) {
		t.Errorf("after the end: %v", second.Why())
	}
}

func TestTheWheel(t *testing.T) {
	r, e := newRoom(pair.Options{})
	lea, max := join(t, r, pair.Newcomer{Name: "lea"}), join(t, r, pair.Newcomer{Name: "max"})
	if err := lea.GiveWheel("lea"); !errors.Is(err, role.ErrRefused) {
		t.Errorf("takes it herself: %v", err)
	}
	if err := lea.AskWheel(); err != nil {
		t.Fatal(err)
	}
	v, _ := r.Host().Watch(t.Context(), 0)
	if !v.People[1].Wants || v.Driver != "anna" {
		t.Errorf("asked: %+v", v)
	}
	for _, name := range []string{"lea", "max"} {
		if err := r.Host().GiveWheel(name); err != nil {
			t.Fatal(err)
		}
	}
	e.Done()
	lea.Do(intent.Run{})
	max.Do(intent.Run{})
	r.Host().Do(intent.Halt{})
	if done := e.Done(); len(done) != 2 || done[0].By != (intent.Author{Name: "max", Guest: true}) || done[1].By != (intent.Author{Name: "anna"}) {
		t.Errorf("who drives: %+v", done)
	}
	if v, _ := lea.Watch(t.Context(), 0); len(v.Said) == 0 || !strings.Contains(v.Said[len(v.Said)-1].Text, "ask for the wheel") {
		t.Errorf("shown to lea: %+v", v.Said)
	}
	max.Leave()
	if v, _ := r.Host().Watch(t.Context(), 0); v.Driver != "anna" {
		t.Errorf("the driver left: %q drives", v.Driver)
	}
}

func TestTwoPersons(t *testing.T) {
	r, e := newRoom(pair.Options{TwoPerson: true})
	lea := join(t, r, pair.Newcomer{Name: "lea"})
	_ = r.Host().GiveWheel("lea")
	for id, actor := range map[string]string{"c1": "lea", "c2": "anna", "c3": "model:x/y"} {
		e.Add(actor, &session.Proposed{Candidate: patch.Candidate{ID: id}})
	}
	for _, c := range []struct {
		seat *pair.Seat
		id   string
		ok   bool
	}{{lea, "c1", false}, {lea, "c2", true}, {lea, "c3", true}, {r.Host(), "c1", true}, {r.Host(), "c2", false}} {
		if err := c.seat.Try(intent.Approve{Candidate: c.id}); (err == nil) != c.ok {
			t.Errorf("%s approves %s: %v", c.seat.Name, c.id, err)
		}
	}
}

func TestAFloodIsDropped(t *testing.T) {
	now := time.Now()
	r, e := newRoom(pair.Options{Now: func() time.Time { return now }})
	lea := join(t, r, pair.Newcomer{Name: "lea"})
	_ = r.Host().GiveWheel("lea")
	e.Done()
	for range 5000 {
		lea.Do(intent.Type{Text: "x"})
	}
	if n := len(e.Done()); n > 250 {
		t.Errorf("%d intents reached the engine at once", n)
	}
	now = now.Add(time.Minute)
	if err := lea.Say("still here\x1b]0;title\a", nil); err != nil {
		t.Error(err)
	}
	for _, d := range e.Done() {
		if n, ok := d.Intent.(intent.Note); !ok || strings.ContainsAny(n.Text, "\x1b\a") {
			t.Errorf("%+v", d)
		}
	}
	if v, _ := lea.Watch(t.Context(), 0); len(v.Said) > 20 {
		t.Errorf("%d answers are kept", len(v.Said))
	}
}

// TestNothingThatIsHandedOverIsLong: whatever text of whatever intent it is, it would be in
// the log, which is read up to a size only.
func TestNothingThatIsHandedOverIsLong(t *testing.T) {
	now := time.Now()
	r, e := newRoom(pair.Options{MayApply: true, Now: func() time.Time { now = now.Add(time.Second); return now }})
	lea := join(t, r, pair.Newcomer{Name: "lea"})
	_ = r.Host().GiveWheel("lea")
	tried := 0
	for _, i := range roletest.Intents() {
		if _, quits := i.(intent.Quit); quits {
			continue
		}
		e.Done()
		if lea.Do(i); len(reached(e, "lea")) == 0 {
			continue // not theirs to do
		}
		long := reflect.New(reflect.TypeOf(i)).Elem()
		long.Set(reflect.ValueOf(i))
		if !lengthen(long) {
			continue
		}
		tried++
		lea.Do(long.Interface().(intent.Intent))
		if len(reached(e, "lea")) > 0 {
			t.Errorf("a long %s reached the engine", roletest.Name(i))
		}
	}
	if tried < 10 {
		t.Errorf("%d intents with a text were tried", tried)
	}
	files := map[string]string{"main.go": strings.Repeat("x", 1<<20)}
	for _, i := range []intent.Intent{intent.Propose{Files: files}, intent.Revise{Candidate: "c1", Files: files}} {
		e.Done()
		if lea.Do(i); len(reached(e, "lea")) == 0 {
			t.Errorf("%T with a file of 1 MB did not reach the engine", i)
		}
	}
}

// lengthen puts a long text into the first place for one in a value.
func lengthen(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", 100<<10))
		return true
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return lengthen(v.Index(0))
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() && lengthen(field) {
				return true
			}
		}
	}
	return false
}

// The host answers a question about somebody by their name: nobody else takes it meanwhile.
func TestANameStaysWithWhoWasAskedAbout(t *testing.T) {
	bob := pair.Newcomer{Name: "bob", Key: "SHA256:bob", From: "10.0.0.5", Via: "ssh"}
	for name, other := range map[string]pair.Newcomer{
		"another key":        {Name: "bob", Key: "SHA256:eve", From: "10.0.0.5", Via: "ssh"},
		"no key":             {Name: "bob", From: "10.0.0.5", Via: "ssh"},
		"another address":    {Name: "BOB", From: "10.0.0.6", Via: "ssh"},
		"another way":        {Name: "bob", From: "10.0.0.5", Via: "editor"},
		"not to look on":     {Name: "bob", Key: "SHA256:eve", From: "10.0.0.5", Via: "ssh", Looks: true},
		"an agent":           {Name: "bob", From: "10.0.0.5", Via: "agent", Agent: true},
		"in another writing": {Name: "b/o/b", From: "10.0.0.7", Via: "ssh"},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := newRoom(pair.Options{})
			knock := func(n pair.Newcomer) (leave func() error) {
				ctx, cancel := context.WithCancel(t.Context())
				left := make(chan error, 1)
				go func() {
					_, err := r.Join(ctx, n)
					left <- err
				}()
				testsupport.Eventually(t, "they wait", func() bool {
					v, err := r.Host().Watch(t.Context(), 0)
					return err == nil && len(v.People) == 2
				})
				return func() error { cancel(); return <-left }
			}
			if err := knock(bob)(); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			leave := knock(other) // before the host has answered
			if err := r.Host().Admit("bob"); err == nil {
				t.Error("the host let bob in, and another one came in")
			}
			_ = leave()
			leave = knock(bob)
			if err := r.Host().Admit("bob"); err != nil {
				t.Errorf("bob came back: %v", err)
			}
			_ = leave()
		})
	}
}

// A name stands at the beginning of a line, and for the reader of a screen.
func TestNobodySpeaksAsPausetui(t *testing.T) {
	r, _ := newRoom(pair.Options{})
	for _, name := range []string{"you", "OUT", "error", "-why-", "fix", "person"} {
		if s := join(t, r, pair.Newcomer{Name: name, Via: "ssh"}); !strings.HasPrefix(s.Name, "guest") {
			t.Errorf("%q is called %q", name, s.Name)
		}
	}
}
