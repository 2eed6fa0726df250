package consent

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWhatWasAgreedToIsRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "consent.json")
	p := Place{Module: "example.org/m", Root: "/src/m", Host: "api.example.com", Model: "work/gpt"}
	s := Open(path)
	if ok, err := s.Given(p); ok || err != nil {
		t.Fatalf("agreed before anybody was asked: %v, %v", ok, err)
	}
	for range 2 {
		if err := s.Give(p, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	s = Open(path)
	if list, err := s.List(); err != nil || len(list) != 1 {
		t.Errorf("list = %+v, %v", list, err)
	}
	upper := p
	upper.Host = "API.example.com"
	if ok, err := s.Given(upper); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	for _, other := range []Place{{p.Module, "/elsewhere", p.Host, p.Model}, {"other", p.Root, p.Host, p.Model},
		{p.Module, p.Root, "evil.example.com", p.Model}, {p.Module, p.Root, p.Host, "work/other"}} {
		if ok, _ := s.Given(other); ok {
			t.Errorf("%+v counts as agreed to", other)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := s.Revoke(p); err != nil {
		t.Fatal(err)
	}
	if ok, _ := s.Given(p); ok {
		t.Error("still agreed to")
	}
}

func TestAFileThatCannotBeReadAgreesToNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "consent.json")
	for _, text := range []string{"{", `{"version":9}`, ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ok, err := Open(path).Given(Place{})
		if ok || !errors.Is(err, ErrUnreadable) {
			t.Errorf("%q: %v, %v", text, ok, err)
		}
		if err := Open(path).Give(Place{}, time.Now()); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%q: written over: %v", text, err)
		}
	}
}
