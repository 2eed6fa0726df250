package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// FuzzRead holds that reading a journal never loses an event before a damaged
// line, that what was read can be written and read again, and that a journal
// that is opened goes on after its last whole line.
func FuzzRead(f *testing.F) {
	var whole []byte
	for i, b := range storyBodies() {
		line, err := encode(Event{Seq: uint64(i + 1), At: time.Unix(int64(i), 0).UTC(), Actor: "engine", Body: b})
		line = append(line, '\n')
		if err != nil {
			f.Fatal(err)
		}
		whole = append(whole, line...)
	}
	var past []byte
	for i, b := range seenBodies() {
		line, err := encode(Event{Seq: uint64(i + 1), At: time.Unix(int64(i), 0).UTC(), Actor: "engine", Body: b})
		line = append(line, '\n')
		if err != nil {
			f.Fatal(err)
		}
		past = append(past, line...)
	}
	f.Add(past)
	f.Add(bytes.ReplaceAll(past, []byte(`"stop":1`), []byte(`"stop":-9`)))
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(whole[:len(whole)*2/3])
	f.Add(append(bytes.Clone(whole), make([]byte, 64)...))
	f.Add(bytes.Replace(whole, []byte(`"kind":"proved"`), []byte(`"kind":"later"`), 1))
	f.Add([]byte(`{"v":1,"seq":1,"at":"2026-11-20T17:02:03Z","actor":"x","kind":"notice","body":{"text":7}}` + "\r\n\n"))
	f.Add([]byte(`{"v":2,"seq":1}` + "\n" + `{"v":1,"kind":"ended","body":null}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readLines(bytes.NewReader(data), nil)
		events, good := got.events, got.good
		if err != nil && !errors.Is(err, ErrTorn) {
			t.Fatalf("err = %v, want ErrTorn or none", err)
		}
		lines := bytes.SplitAfter(data, []byte{'\n'})
		readable := 0 // lines up to the first that is damaged
		for readable < len(lines) {
			if _, err := decode(bytes.TrimSuffix(lines[readable], []byte{'\n'})); err != nil {
				break
			}
			readable++
		}
		if len(events) != readable {
			t.Fatalf("read %d events, want those of the first %d lines", len(events), readable)
		}
		if want := len(bytes.Join(lines[:readable], nil)); good != int64(want) && good != int64(want)+1 {
			t.Fatalf("%d bytes are good, want %d", good, want)
		}
		damaged := 0 // lines after those, but for a last one that is empty
		for _, l := range lines[readable:] {
			damaged += min(len(l), 1)
		}
		if (err != nil) != (damaged > 1) {
			t.Fatalf("err = %v with %d lines after the good ones", err, damaged)
		}
		again := rewritten(t, events)
		if !bytes.Equal(again, rewritten(t, mustRead(t, again))) {
			t.Fatalf("written again: %q", again)
		}
		_ = Markdown(events)
		checkOpened(t, data, events, err)
	})
}

func mustRead(t *testing.T, data []byte) []Event {
	t.Helper()
	events, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return events
}

func rewritten(t *testing.T, events []Event) []byte {
	t.Helper()
	var out []byte
	for _, e := range events {
		line, err := encode(e)
		line = append(line, '\n')
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, line...)
	}
	return out
}

// checkOpened opens the data as a journal and adds an event to it.
func checkOpened(t *testing.T, data []byte, events []Event, damage error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	j, _, cut, err := OpenJournal(path, true, time.Now)
	if (err != nil) != (damage != nil) {
		t.Fatalf("opened: %v, read: %v", err, damage)
	}
	if err != nil {
		return
	}
	if cut < 0 || cut > int64(len(data)) {
		t.Fatalf("%d bytes cut of %d", cut, len(data))
	}
	if _, err := j.Append("person", &Notice{Text: "on"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	back, err := ReadFile(path)
	if err != nil || len(back) != len(events)+1 || len(events) > 0 && !reflect.DeepEqual(back[:len(events)], events) {
		t.Fatalf("read %d events, %v; want %d", len(back), err, len(events)+1)
	}
}

// FuzzFrontMatter holds that the head of a log says what the session was,
// whatever the target and its panic are called, and that reading the head of
// any file ends well.
func FuzzFrontMatter(f *testing.F) {
	f.Add("./cmd/index", "-v", "assignment to entry in nil map", "---\nsession: x\n---\n")
	f.Add("a: b", "- |\n x", "---\n---\noutcome: fixed", "---\nsession: [1\n---\n")
	f.Add("!!binary x", "\x1b[31m\xff\u2028\u0085", "yes", "---\nstops: many\n---\n")
	f.Add("", "~", "\t tab: \"'", "---\n&a [*a]\n---\n")
	f.Add("null", "0x1f", strings.Repeat("long ", 99), "no head")
	f.Fuzz(func(t *testing.T, pkg, arg, message, file string) {
		if got, err := ReadFrontMatter(strings.NewReader(file)); err != nil && !reflect.DeepEqual(got, FrontMatter{}) {
			t.Fatalf("%+v with %v", got, err)
		}
		stop := debugger.Stop{Reason: debugger.ReasonPanic, Selected: -1, Panic: &debugger.Panic{Class: debugger.Custom, Message: message, Culprit: -1, Fingerprint: "00ff"}}
		at := time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)
		events := []Event{
			{Seq: 1, At: at, Body: &Started{ID: "20261120-170203", Package: pkg, Args: []string{arg}, Version: "devel"}},
			{Seq: 2, At: at, Body: &Stopped{Stop: stop}},
			{Seq: 3, At: at.Add(time.Second), Body: &Ended{Outcome: "quit"}},
		}
		got, err := ReadFrontMatter(bytes.NewReader(Markdown(events)))
		want := FrontMatter{Session: "20261120-170203", Date: "2026-11-20T17:02:03Z", Target: oneLine(pkg), Args: cleanAll([]string{arg}), Class: "custom", Message: oneLine(message),
			Fingerprint: "00ff", Outcome: "quit", Stops: 1, Seconds: 1, Version: "devel"}
		if len(pkg)+len(arg)+len(message) > maxFrontMatter/8 {
			return // it may be longer than what is read of a head
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\ngot  %#v\nwant %#v", err, got, want)
		}
	})
}
