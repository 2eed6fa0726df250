// Package manysessions makes a directory of any number of sessions from the journals of a
// few real ones.
//
// The rules: the same arguments make the same files. What a list, a search and
// the statistics tell sessions apart by varies: times, packages, functions,
// fingerprints, models, prompts. A journal grows the way a real one does: more
// models are asked, each with a long prompt, and their candidates are checked.
// The journals are not sealed. The package must not know who reads them.
package manysessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Of how many values each session gets one.
const (
	packages = 40
	faults   = 500
)

var (
	models  = []string{"qwen3-coder:30b", "gpt-oss:20b", "devstral:24b", "qwen2.5-coder:7b", "gemma3:27b"}
	prompts = []string{"", "terse", "teacher"}
)

// first is the time of the first session; the others follow every three hours.
var first = time.Date(2023, 1, 2, 3, 4, 5, 0, time.UTC)

// event is a line of a journal (docs/reference/journal.md).
type event struct {
	V     int             `json:"v"`
	Seq   int             `json:"seq"`
	At    time.Time       `json:"at"`
	Actor string          `json:"actor"`
	Kind  string          `json:"kind"`
	Body  json.RawMessage `json:"body"`
}

// template is a journal that sessions are made from.
type template struct {
	class       string
	id          string
	fingerprint string
	function    string // of the user's code, where it stopped
	size        int64
	events      []event
	proposals   []event // of the first proposer
	asked       int     // index of the event before which other models are asked
}

// Make writes the sessions from to to-1 into dir, each of about size bytes, and
// returns how many bytes they have. They are made from the journals in templates.
func Make(dir, templates string, from, to int, size int64) (int64, error) {
	files, err := filepath.Glob(filepath.Join(templates, "*.jsonl"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("no journals in %q", templates)
	}
	list := make([]template, len(files))
	for i, f := range files {
		if list[i], err = read(f); err != nil {
			return 0, fmt.Errorf("read %q: %w", f, err)
		}
	}
	var total int64
	for i := from; i < to; i++ {
		name, text, err := list[i%len(list)].session(i, size)
		if err != nil {
			return total, err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), text, 0o600); err != nil {
			return total, err
		}
		total += int64(len(text))
	}
	return total, nil
}

var (
	printed = regexp.MustCompile(`"fingerprint":"([0-9a-f]+)"`)
	stopsAt = regexp.MustCompile(`"function":"main\.(?:\([^)]*\)\.)?([A-Za-z0-9_]+)`)
)

func read(file string) (template, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return template{}, err
	}
	base := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	if len(base) < len("20060102-150405-x") {
		return template{}, errors.New("its name is that of no session")
	}
	t := template{id: base[:15], class: base[16:], size: int64(len(text))}
	for line := range bytes.Lines(text) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return t, err
		}
		t.events = append(t.events, e)
		switch e.Kind {
		case "stopped":
			if m := printed.FindSubmatch(e.Body); m != nil && t.fingerprint == "" {
				t.fingerprint = string(m[1])
			}
			if m := stopsAt.FindSubmatch(e.Body); m != nil && t.function == "" {
				t.function = string(m[1])
			}
		case "decided", "ended":
			if t.asked == 0 {
				t.asked = len(t.events) - 1
			}
		}
		if t.asked == 0 && (e.Kind == "proposed" || e.Kind == "checked" || e.Kind == "proved") {
			t.proposals = append(t.proposals, e)
		}
	}
	if t.fingerprint == "" || t.function == "" || t.asked == 0 || len(t.proposals) == 0 {
		return t, errors.New("no program stopped in it, or nothing was proposed")
	}
	return t, nil
}

// session is the i-th session, with the name of its files.
func (t *template) session(i int, size int64) (name string, text []byte, err error) {
	random := rand.New(rand.NewPCG(uint64(i), 1))
	at := first.Add(time.Duration(i)*3*time.Hour + time.Duration(random.IntN(3600))*time.Second)
	later := at.Sub(t.events[0].At.Truncate(time.Second))
	id := at.Format("20060102-150405")
	names := strings.NewReplacer(
		t.id, id,
		t.fingerprint, fmt.Sprintf("%s%04x", t.fingerprint[:len(t.fingerprint)-4], random.IntN(faults)),
		t.function, fmt.Sprintf("%s%d", t.function, random.IntN(packages)),
		"/examples/", fmt.Sprintf("/service%02d/", random.IntN(packages)),
	)
	var out bytes.Buffer
	seq := 0
	write := func(e event) error {
		seq++
		e.Seq, e.At, e.Body = seq, e.At.Add(later), json.RawMessage(names.Replace(string(e.Body)))
		line, err := json.Marshal(e)
		out.Write(append(line, '\n'))
		return err
	}
	for at, e := range t.events {
		for n := 1; at == t.asked && int64(out.Len())+t.size/8 < size; n++ {
			for _, more := range t.model(n, random, e.At, int(size)-out.Len()) {
				if err := write(more); err != nil {
					return "", nil, err
				}
			}
		}
		if err := write(e); err != nil {
			return "", nil, err
		}
	}
	return id + "-" + t.class, out.Bytes(), nil
}

// model are the events of a model that is asked: a prompt, an answer, and its
// candidates with their checks. They need not have more than room bytes.
func (t *template) model(n int, random *rand.Rand, at time.Time, room int) []event {
	source := fmt.Sprintf(`{"provider":"ollama","model":%q,"prompt":%q}`, models[random.IntN(len(models))], prompts[random.IntN(len(prompts))])
	request := fmt.Sprintf("a%d", 100+n)
	body := func(kind, format string, args ...any) event {
		return event{V: 1, At: at, Actor: "engine", Kind: kind, Body: json.RawMessage(fmt.Sprintf(format, args...))}
	}
	list := []event{
		body("asked", `{"request":%q,"source":%s,"round":1}`, request, source),
		body("prompted", `{"request":%q,"source":%s,"prompt":%q}`, request, source, words(random, min(room/4, 12<<10))),
	}
	candidates := strings.NewReplacer(
		`{"provider":"builtin","model":"builtin/rules"}`, source, `"request":"a1"`, fmt.Sprintf(`"request":%q`, request),
		`"candidate":"c`, fmt.Sprintf(`"candidate":"c%d`, n), `"candidate":{"id":"c`, fmt.Sprintf(`"candidate":{"id":"c%d`, n),
	)
	size := 0
	for _, p := range t.proposals {
		if p.Kind == "proposed" {
			size += len(p.Body)
		}
	}
	answer := body("answered", `{"request":%q,"text":%q,"prompt_tokens":%d,"tokens":%d,"took":%d,"candidates":1}`,
		request, words(random, min(size, 4<<10)), 3000+random.IntN(3000), 200+random.IntN(800), random.IntN(30)*int(time.Second))
	list = append(list, answer)
	for _, p := range t.proposals {
		p.At, p.Body = at, json.RawMessage(candidates.Replace(string(p.Body)))
		list = append(list, p)
	}
	return list
}

// words is a text of n bytes.
func words(random *rand.Rand, n int) string {
	const letters = "etaoinshrdlucmfwypvbgkjqxz"
	text := make([]byte, max(n, 0))
	for i := range text {
		switch {
		case random.IntN(7) == 0:
			text[i] = ' '
		default:
			text[i] = letters[min(random.IntN(len(letters)), random.IntN(len(letters)))]
		}
	}
	return string(text)
}
