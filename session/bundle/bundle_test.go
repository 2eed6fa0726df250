package bundle

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

const logs, name = "../../debug", "20261123-114836-nil-map-write"

func write(t *testing.T, o Options) []byte {
	t.Helper()
	o.Logs, o.Session, o.Now = logs, name, time.Now()
	p, err := MakePlan(o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestThereAndBack(t *testing.T) {
	core := filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(core, bytes.Repeat([]byte("core"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	hide := func(s string) string { return strings.ReplaceAll(s, "Norrland", "‹hidden›") }
	data := write(t, Options{Core: core, Binary: core, Redact: hide, Journal: hide})
	m, err := List(bytes.NewReader(data))
	if err != nil || m.Session != name || len(m.Files) != 5 {
		t.Fatalf("%+v, %v", m, err)
	}
	o, err := Open(bytes.NewReader(data), filepath.Join(t.TempDir(), "opened"), All)
	if err != nil {
		t.Fatal(err)
	}
	e, err := session.Find(o.Logs, session.Latest)
	if err != nil || e.Name != name {
		t.Fatalf("%+v, %v", e, err)
	}
	events, err := session.ReadFile(e.Journal)
	want, _ := session.ReadFile(filepath.Join(logs, name+".jsonl"))
	if err != nil || len(events) != len(want) {
		t.Errorf("%d events of %d, %v", len(events), len(want), err)
	}
	text, _ := os.ReadFile(e.Journal)
	if bytes.Contains(text, []byte("Norrland")) {
		t.Error("a secret went along")
	}
	if err := session.Sealed(e.Journal); err == nil {
		t.Error("the journal passes for one of this machine")
	}
	if got, _ := os.ReadFile(o.Core); len(got) != 4000 {
		t.Errorf("the core has %d bytes", len(got))
	}
}

// archive makes a bundle by hand.
func archive(t *testing.T, m Manifest, files ...*tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	text, _ := json.Marshal(m)
	if err := w.WriteHeader(&tar.Header{Name: "manifest.json", Size: int64(len(text)), Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(text)
	for _, h := range files {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		_, _ = io.CopyN(w, zeros{}, h.Size)
	}
	_ = w.Close()
	_ = z.Close()
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestHostileBundles(t *testing.T) {
	good := write(t, Options{})
	bomb := Manifest{Version: 1, Session: name, Files: []File{{Name: "session.md", Bytes: 1 << 30}}}
	one := func(file string, size int64) Manifest {
		return Manifest{Version: 1, Session: name, Files: []File{{Name: file, Bytes: size}}}
	}
	for _, tt := range []struct {
		what string
		data []byte
	}{
		{"nothing", nil},
		{"text", []byte("hello")},
		{"cut off", good[:len(good)/2]},
		{"damaged", append(append([]byte{}, good[:len(good)-200]...), bytes.Repeat([]byte{7}, 200)...)},
		{"another version", archive(t, Manifest{Version: 99, Session: name})},
		{"a session outside", archive(t, Manifest{Version: 1, Session: "../../20261123-114836-x"})},
		{"a bomb", archive(t, bomb, &tar.Header{Name: "session.md", Size: 1 << 27, Mode: 0o600})},
		{"a large file", archive(t, one("session.md", maxFile+1), &tar.Header{Name: "session.md", Size: maxFile + 1, Mode: 0o600})},
		{"a path out", archive(t, one("../evil", 3), &tar.Header{Name: "../evil", Size: 3, Mode: 0o600})},
		{"an absolute path", archive(t, one("/tmp/evil", 3), &tar.Header{Name: "/tmp/evil", Size: 3, Mode: 0o600})},
		{"a link", archive(t, one("session.md", 0), &tar.Header{Name: "session.md", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})},
		{"not listed", archive(t, Manifest{Version: 1, Session: name}, &tar.Header{Name: "session.md", Size: 3, Mode: 0o600})},
		{"twice", archive(t, one("session.md", 3), &tar.Header{Name: "session.md", Size: 3, Mode: 0o600}, &tar.Header{Name: "session.md", Size: 3, Mode: 0o600})},
		{"listed and not there", archive(t, one("session.md", 3))},
	} {
		dir := filepath.Join(t.TempDir(), "opened")
		if _, err := Open(bytes.NewReader(tt.data), dir, All); err == nil {
			t.Errorf("%s was opened", tt.what)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s left something behind: %v", tt.what, err)
		}
	}
}

// TestAListThatFillsTheMemoryIsRefused: a manifest of 3 MB would take 100 MB.
func TestAListThatFillsTheMemoryIsRefused(t *testing.T) {
	data := archive(t, Manifest{Version: 1, Session: name, Files: make([]File, 1<<20/25)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := List(bytes.NewReader(data))
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrNoBundle) {
		t.Errorf("err = %v, want ErrNoBundle", err)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 16 {
		t.Errorf("%d MB were allocated", got)
	}
}

func TestAnExistingDirectoryIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(bytes.NewReader(write(t, Options{})), dir, All); err == nil {
		t.Error("it was written into a directory that was there")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Open(bytes.NewReader(data), filepath.Join(t.TempDir(), "opened"), All)
	})
}

// TestHashesAreNoSecrets: they look like some, and the session needs them.
func TestHashesAreNoSecrets(t *testing.T) {
	const journal = `{"body":{"fingerprint":"666550ab7b00a90fa82f","value":"666550ab7b00a90fa82f"},"mac":"a04880"}` + "\n"
	logs := t.TempDir()
	if err := os.WriteFile(filepath.Join(logs, "20261120-170203-nil-map-write.jsonl"), []byte(journal+`{"torn`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	hide := func(text string) string { return strings.ReplaceAll(text, "666550ab7b00a90fa82f", "***") }
	p, err := MakePlan(Options{Logs: logs, Session: "20261120-170203-nil-map-write", Redact: hide, Journal: func(journal string) string {
		return session.HideIn(journal, func(session.Body) bool { return false }, func(string) {}, hide)
	}})
	if err == nil {
		err = p.Write(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	o, err := Open(&out, filepath.Join(t.TempDir(), "opened"), Texts)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(o.Logs, "20261120-170203-nil-map-write.jsonl"))
	want := strings.Replace(journal, `"value":"666550ab7b00a90fa82f"`, `"value":"***"`, 1)
	if err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
}

// TestSecretsOfOtherTextsAreHidden: what one text of a session tells by its name is hidden in all,
// also in those before it, and in front of a hash.
func TestSecretsOfOtherTextsAreHidden(t *testing.T) {
	const name = "20261120-170203-nil-map-write"
	for _, tells := range []string{name + ".jsonl", name + ".round1.out", "sources/0123456789abcdef"} {
		logs := t.TempDir()
		texts := map[string]string{
			name + ".jsonl":            `{"v":1,"seq":1,"kind":"notice","body":{"text":"no login with winter is coming","fingerprint":"666550ab7b00a90fa82f"},"mac":"a04880"}` + "\n",
			name + ".round1.out":       "winter is coming\nwin\x1b[1mter is com\x1b[0ming\n",
			"sources/0123456789abcdef": "// winter is coming\n",
		}
		if tells == name+".jsonl" {
			texts[tells] += `{"v":1,"seq":2,"kind":"notice","body":{"text":"password = \"winter is coming\""},"mac":"a04881"}` + "\n"
		} else {
			texts[tells] += "password = \"winter is coming\"\n"
		}
		for file, text := range texts {
			testsupport.Write(t, filepath.Join(logs, file), text)
		}
		s := prompts.NewScreen(redact.New(redact.Settings{}, nil))
		p, err := MakePlan(Options{Logs: logs, Session: name, Sources: filepath.Join(logs, "sources"), Redact: s.Secretless, Learn: s.Learn, Journal: func(journal string) string {
			return session.HideIn(journal, func(session.Body) bool { return false }, s.Learn, s.Secretless)
		}})
		if err != nil || len(p.contents) != 3 {
			t.Fatalf("%v, %d files", err, len(p.contents))
		}
		for _, c := range p.contents {
			if strings.Contains(string(c.text), "winter") || strings.Contains(string(c.text), "ter is") {
				t.Errorf("told by %s: %s: %s", tells, c.name, c.text)
			}
		}
	}
}

// TestPartsOfABundle: texts without the core dump, and the reverse.
func TestPartsOfABundle(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"core.1": strings.Repeat("\x00", 1<<20), "app": "ELF"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data := write(t, Options{Core: filepath.Join(dir, "core.1"), Binary: filepath.Join(dir, "app")})
	texts, err := Open(bytes.NewReader(data), filepath.Join(dir, "texts"), Texts)
	if err != nil || texts.Core != "" || !texts.Manifest.HasCore() {
		t.Errorf("%+v, %v", texts, err)
	}
	memory, err := Open(bytes.NewReader(data), filepath.Join(dir, "memory"), Memory)
	if err != nil || memory.Core == "" || memory.Binary == "" {
		t.Errorf("%+v, %v", memory, err)
	}
	entries, err := os.ReadDir(memory.Logs)
	if err != nil || len(entries) != 2 {
		t.Errorf("unpacked are %v, %v", entries, err)
	}
}

// TestABombIsRefused: a few bytes that promise more than there is room for, or
// than a file of the kind may have.
func TestABombIsRefused(t *testing.T) {
	for name, files := range map[string][]File{
		"text":   {{Name: "session.md", Bytes: 65 << 20}},
		"texts":  slices.Repeat([]File{{Name: "sources/0123456789abcdef", Bytes: 64 << 20}}, 20),
		"core":   {{Name: "core", Bytes: 9 << 30}},
		"signed": {{Name: "core", Bytes: -1}},
	} {
		var out bytes.Buffer
		p := Plan{Manifest: Manifest{Version: Version, Session: "20261120-170203-nil-map-write", Files: files}}
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "opened")
		if _, err := Open(&out, dir, All); err == nil || !strings.Contains(err.Error(), "are allowed") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s left something", name)
		}
	}
	if err := Room(t.TempDir(), 1<<60); err == nil || !strings.Contains(err.Error(), "MB are needed") {
		t.Errorf("room for an exabyte: %v", err)
	}
}

// A constant of the source may be a secret. The text without it is found where the journal
// says that the source is.
func TestSecretsOfTheSourceAreHidden(t *testing.T) {
	const secret, mark = "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[redacted]"
	logs := t.TempDir()
	texts := session.OpenTexts(logs, "20261120-170203")
	var journal strings.Builder
	for _, text := range []string{"const apiKey = \"" + secret + "\"", "const apiKey = \"" + mark + "\"", "package plain"} {
		kept, err := texts.Keep([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		journal.WriteString(`{"body":{"files":[{"file":"/m/main.go","name":"` + kept + `"}]}}` + "\n")
	}
	if err := os.WriteFile(filepath.Join(logs, "20261120-170203-nil-map-write.jsonl"), []byte(journal.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	hide := func(text string) string { return strings.ReplaceAll(text, secret, mark) }
	var out bytes.Buffer
	p, err := MakePlan(Options{Logs: logs, Session: "20261120-170203-nil-map-write", Sources: filepath.Join(logs, "20261120-170203-sources"), Redact: hide})
	if err == nil {
		err = p.Write(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	o, err := Open(&out, filepath.Join(t.TempDir(), "opened"), Texts)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(o.Logs, "20261120-170203-nil-map-write.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	opened := session.OpenTexts(o.Logs, "20261120-170203")
	for i, want := range []string{"const apiKey = \"" + mark + "\"", "const apiKey = \"" + mark + "\"", "package plain"} {
		_, rest, _ := strings.Cut(strings.Split(string(got), "\n")[i], `"name":"`)
		name, _, _ := strings.Cut(rest, `"`)
		if text, err := opened.Text(name); err != nil || string(text) != want {
			t.Errorf("text %d is %q, %v", i, text, err)
		}
	}
	found, _ := filepath.Glob(filepath.Join(o.Logs, "*", "*"))
	for _, f := range found {
		if text, _ := os.ReadFile(f); bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s went along", f)
		}
	}
}

// A repository may come with a link in place of the source texts.
func TestALinkToSourcesLeadsNowhere(t *testing.T) {
	logs, elsewhere := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{filepath.Join(logs, "20261120-170203-x.jsonl"): "{}\n", filepath.Join(elsewhere, "0123456789abcdef"): "private"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(logs, "20261120-170203-sources")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	p, err := MakePlan(Options{Logs: logs, Session: "20261120-170203-x", Sources: link})
	if err != nil || len(p.Manifest.Files) != 1 {
		t.Errorf("%+v, %v", p.Manifest.Files, err)
	}
}
