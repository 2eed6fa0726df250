package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an agent hears of its edits depends on no secret of the files: it would read one
// letter by letter, or have it shown under another name.
func TestEditsTellNoPartsOfSecrets(t *testing.T) {
	t.Parallel()
	dir := program(t, "package main\n\nconst password = \"plover\"\n\nfunc main() {\n\tvar m map[string]string\n\tm[\"a\"] = password\n}\n")
	if err := os.WriteFile(filepath.Join(dir, "conf.yaml"), []byte("host: db\npw: plover\nport: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := agent(t, dir, "--offline", ".")
	atCrash(t, s)
	edit := func(file, from, to string) map[string]any {
		return map[string]any{"file": file, "old": from, "new": to}
	}
	for _, guess := range []string{"p", "q", "plover", "plovers", ""} {
		for file, before := range map[string]string{"main.go": `password = "`, "conf.yaml": "pw: "} {
			if guess == "" {
				before, guess = before[1:], "plover\n"
			}
			text, ok := call(t, s, "propose_patch", map[string]any{"title": "x", "edits": []any{edit(file, before+guess, "x"), edit("main.go", "nowhere", "x")}})
			if ok || !strings.Contains(text, `is not in "`+file) {
				t.Errorf("%q in %s: %s", guess, file, text)
			}
		}
	}
	for file, names := range map[string][2]string{"main.go": {"const password =", "const color ="}, "conf.yaml": {"pw:", "color:"}} {
		if text, ok := call(t, s, "propose_patch", map[string]any{"title": "x", "edits": []any{edit(file, names[0], names[1])}}); ok || !strings.Contains(text, "would show what is hidden") {
			t.Errorf("another name in %s: %s", file, text)
		}
	}
	text, ok := call(t, s, "propose_patch", map[string]any{"title": "make it", "edits": []any{edit("main.go", "var m map[string]string", "m := map[string]string{}"), edit("conf.yaml", "port: 1", "port: 22")}})
	if !ok || strings.Contains(text, "plover") || !strings.Contains(text, "port: 22") {
		t.Errorf("what is not hidden: %s", text)
	}
}
