package userstate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// writerEnv makes the test binary a process that adds to the store in this
// directory, under the name in os.Args[1].
const writerEnv = "PAUSETUI_TEST_USERSTATE_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := write(Open(dir), os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// each is how much of each kind a writer adds.
const each = 25

// write adds mutes, consents and breakpoints, all of one name.
func write(s Store, name string) error {
	b := s.Breakpoints()
	list, err := b.Load("/src/app")
	if err != nil {
		return err
	}
	for i := range each {
		one := fmt.Sprintf("%s-%d", name, i)
		list = append(list, debugger.Breakpoint{File: "a.go", Line: i + 1, Text: one})
		err := errors.Join(
			s.Mutes().Mute("/src/app", debugger.Site{Fingerprint: one}),
			s.Consents().Give(Consent{Model: one}, time.Unix(1e9, 0)),
			b.Save("/src/app", list))
		if err != nil {
			return err
		}
	}
	return nil
}

func TestProcessesThatAddAtOnceLoseNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var writers []*exec.Cmd
	for _, name := range []string{"a", "b", "c"} {
		c := exec.Command(exe, name)
		c.Env, c.Stderr = append(os.Environ(), writerEnv+"="+dir), os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, c)
	}
	for _, c := range writers {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	s := Open(dir)
	sites, err1 := s.Mutes().Load("/src/app")
	consents, err2 := s.Consents().List()
	list, err3 := s.Breakpoints().Load("/src/app")
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if want := len(writers) * each; len(sites) != want || len(consents) != want || len(list) != want {
		t.Errorf("of %d, there are %d mutes, %d consents, %d breakpoints", want, len(sites), len(consents), len(list))
	}
}

func TestAChangeWaitsForTheLock(t *testing.T) {
	s := Open(t.TempDir())
	held, release, changed := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_ = s.Locked(func() error { close(held); <-release; return nil })
	}()
	<-held
	go func() { changed <- s.Mutes().Mute("/src/app", debugger.Site{Fingerprint: "ab"}) }()
	select {
	case err := <-changed:
		t.Errorf("the change did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if err := <-changed; err != nil {
		t.Error(err)
	}
}

func TestBreakpointsAreKeptByModule(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "state")).Breakpoints()
	if list, err := b.Load("/src/a"); list != nil || err != nil {
		t.Fatalf("nothing was saved: %v, %v", list, err)
	}
	want := []debugger.Breakpoint{{ID: 1, File: "a/b.go", Line: 7, Cond: "i > 3", Text: "x++"}, {ID: 2, Location: "main.f", Disabled: true}}
	if err := b.Save("/src/a", want); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Load("/src/a/"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := b.Load("/other/a"); err != nil || got != nil {
		t.Errorf("another module of the same name: %+v, %v", got, err)
	}
	if info, err := os.Stat(b.path("/src/a")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := b.Save("/src/a", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(b.path("/src/a")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty list left a file: %v", err)
	}
}

func TestBreakpointsOfTwoSessions(t *testing.T) {
	s := Open(t.TempDir())
	first, second := s.Breakpoints(), s.Breakpoints()
	at := func(line int, text string) debugger.Breakpoint {
		return debugger.Breakpoint{File: "a.go", Line: line, Text: text}
	}
	save := func(b *Breakpoints, list ...debugger.Breakpoint) {
		t.Helper()
		if err := b.Save("/src/a", list); err != nil {
			t.Fatal(err)
		}
	}
	save(first, at(1, "one"), at(2, "two"))
	if _, err := second.Load("/src/a"); err != nil {
		t.Fatal(err)
	}
	save(first, at(5, "one"), at(3, "three")) // one has moved, two is removed, three is added
	save(second, at(1, "one"), at(2, "two"), at(4, "return err"), at(9, "return err"))
	save(first, at(5, "one"))
	got, err := s.Breakpoints().Load("/src/a")
	var texts []string
	for _, b := range got {
		texts = append(texts, b.Text)
	}
	slices.Sort(texts)
	// What the second session holds stays, what the first removed of its own is gone.
	if want := []string{"one", "return err", "return err", "two"}; err != nil || !slices.Equal(texts, want) {
		t.Errorf("%q, %v; want %q", texts, err, want)
	}
}

func TestUnreadableBreakpoints(t *testing.T) {
	b := Open(t.TempDir()).Breakpoints()
	if err := b.Save("/src/a", []debugger.Breakpoint{{Location: "main.f"}}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{", `{"version":99}`} {
		if err := os.WriteFile(b.path("/src/a"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Load("/src/a"); !errors.Is(err, ErrUnreadableBreakpoints) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := b.Save("/src/a", []debugger.Breakpoint{{Location: "main.g"}}); err != nil {
		t.Fatal(err)
	}
	if list, err := b.Load("/src/a"); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestMutes(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "state"))
	m := s.Mutes()
	if sites, err := m.Load("/src/app"); err != nil || sites != nil {
		t.Fatalf("before any: %v, %v", sites, err)
	}
	site := debugger.Site{Fingerprint: "ab", Class: debugger.Custom, Message: "m", Function: "main.f", File: "a.go", Line: 3, Test: "TestX"}
	other := debugger.Site{Fingerprint: "cd", Class: debugger.NilMapWrite}
	again := site
	again.Line = 5
	for _, s1 := range []debugger.Site{site, other, again} {
		if err := s.Mutes().Mute("/src/app", s1); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := m.Load("/src/app/"); err != nil || !slices.Equal(got, []debugger.Site{other, again}) {
		t.Errorf("got %v, %v", got, err)
	}
	if sites, err := m.Load("/src/other"); err != nil || sites != nil {
		t.Errorf("another module has %v, %v", sites, err)
	}
	for _, fingerprint := range []string{"cd", "none", "ab", "ab"} {
		if err := m.Unmute("/src/app", fingerprint); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(m.path("/src/app")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing is muted, and there is still a file: %v", err)
	}
}

func TestUnreadableMutesAreOverwritten(t *testing.T) {
	m := Open(t.TempDir()).Mutes()
	if err := m.Mute("/src/app", debugger.Site{Fingerprint: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path("/src/app"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Load("/src/app"); !errors.Is(err, ErrUnreadableMutes) {
		t.Errorf("a broken file: %v", err)
	}
	if err := m.Unmute("/src/app", "ab"); !errors.Is(err, ErrUnreadableMutes) {
		t.Errorf("a broken file: %v", err)
	}
	if err := m.Mute("/src/app", debugger.Site{Fingerprint: "ab"}); err != nil {
		t.Fatal(err)
	}
	if sites, err := m.Load("/src/app"); err != nil || len(sites) != 1 {
		t.Errorf("%v, %v", sites, err)
	}
}

func TestConsents(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "state"))
	c := s.Consents()
	p := Consent{Module: "example.org/m", Root: "/src/m", Host: "api.example.com", Model: "work/gpt"}
	if ok, err := c.Given(p); ok || err != nil {
		t.Fatalf("given before any: %v, %v", ok, err)
	}
	for range 2 {
		if err := c.Give(p, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.Consents().List(); err != nil || len(list) != 1 {
		t.Errorf("list = %+v, %v", list, err)
	}
	upper := p
	upper.Host = "API.example.com"
	if ok, err := c.Given(upper); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	for _, other := range []Consent{{p.Module, "/elsewhere", p.Host, p.Model}, {"other", p.Root, p.Host, p.Model},
		{p.Module, p.Root, "evil.example.com", p.Model}, {p.Module, p.Root, p.Host, "work/other"}} {
		if ok, _ := c.Given(other); ok {
			t.Errorf("%+v counts as given", other)
		}
	}
	if info, err := os.Stat(c.path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := c.Revoke(p); err != nil {
		t.Fatal(err)
	}
	if ok, _ := c.Given(p); ok {
		t.Error("still given")
	}
}

func TestUnreadableConsentsAgreeToNothing(t *testing.T) {
	c := Open(t.TempDir()).Consents()
	for _, text := range []string{"{", `{"version":9}`, ""} {
		if err := os.WriteFile(c.path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ok, err := c.Given(Consent{})
		if ok || !errors.Is(err, ErrUnreadableConsents) {
			t.Errorf("%q: %v, %v", text, ok, err)
		}
		if err := c.Give(Consent{}, time.Now()); !errors.Is(err, ErrUnreadableConsents) {
			t.Errorf("%q: overwritten: %v", text, err)
		}
	}
}
