package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/scan"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// secret lies in a file that no build has any business to read.
const secret = "cGF1c2V0dWkgdGVzdCBwcml2YXRlIGtleQ"

// hideSecret writes the secret to a file as the home directory has them: outside of
// the module.
func hideSecret(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "id_rsa")
	if err := os.WriteFile(file, []byte("-----BEGIN "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// hostile is a candidate that adds a file to the module.
func hostile(name, text string) patch.Candidate {
	return patch.Candidate{ID: "c9", Edits: []patch.Edit{{File: name, After: text, Create: true}}}
}

// reveals fails the test where a verdict holds the secret.
func reveals(t *testing.T, v verdict.Verdict) {
	t.Helper()
	if all := fmt.Sprintf("%+v", v); strings.Contains(all, secret) {
		t.Errorf("the secret is in the verdict: %s", all)
	}
}

// TestCompilersReadNoSecrets allows what is refused otherwise, so that the
// sandbox alone is between a compiler and the file.
func TestCompilersReadNoSecrets(t *testing.T) {
	f := crashing(t, "index")
	file := hideSecret(t)
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		for name, preamble := range map[string]string{
			"include": fmt.Sprintf("#include %q", file),
			"incbin":  fmt.Sprintf(`__asm__(".section .rodata\n.global stolen\nstolen: .incbin \"%s\"\n.byte 0\n.text"); extern char stolen[]; static char *steal(void) { return stolen; }`, file),
			"environ": `#include "/proc/self/environ"`,
		} {
			t.Run(string(tier)+"/"+name, func(t *testing.T) {
				if tier == sandbox.Landlock && name != "include" {
					testsupport.Slow(t)
				}
				t.Setenv("SOME_TOKEN", secret)
				c := hostile("steal.go", "package main\n\n/*\n"+preamble+"\n*/\nimport \"C\"\n\nvar _ = C.int(0)\n")
				v := f.prove(t, execute.Options{MaxTier: tier, Allow: []string{verdict.AllowDirectives}}, c)
				if name != "environ" { // which is there, without what is not a compiler's
					expect(t, v, verdict.Build, verdict.Fail, "")
				}
				reveals(t, v)
			})
		}
	}
}

// TestBuildsEndAtALimit makes compilers take all they can get.
func TestBuildsEndAtALimit(t *testing.T) {
	f := crashing(t, "index")
	var chain strings.Builder
	chain.WriteString("package main\n\ntype pair[T any] struct{ a, b T }\n\n")
	for i := range 28 {
		fmt.Fprintf(&chain, "func grow%d[T any]() any { return []any{grow%d[pair[T]](), grow%d[[2]T]()} }\n", i, i+1, i+1)
	}
	chain.WriteString("func grow28[T any]() any { var v T; return v }\n\nvar _ = grow0[int]()\n")
	for _, tt := range []struct {
		name, text, want string
		opts             execute.Options
	}{
		{"zero", "package main\n\n/*\n#include \"/dev/zero\"\n*/\nimport \"C\"\n\nvar _ = C.int(0)\n", "the build was ended", execute.Options{Allow: []string{verdict.AllowDirectives}, BuildMemory: 300 << 20, BuildTimeout: 20 * time.Second}},
		{"terminal", "package main\n\n/*\n#include \"/dev/ptmx\"\n*/\nimport \"C\"\n\nvar _ = C.int(0)\n", "it took longer than 2s", execute.Options{Allow: []string{verdict.AllowDirectives}, BuildTimeout: 2 * time.Second}},
		{"generics", chain.String(), "the build was ended", execute.Options{BuildMemory: 300 << 20, BuildTimeout: 10 * time.Second}},
		{"array", "package main\n\nvar huge = [1 << 30]byte{1<<30 - 1: 1}\n\nvar _ = huge[len(fmtArgs)]\n\nvar fmtArgs = []string{}\n", "the build was ended", execute.Options{BuildMemory: 300 << 20, BuildTimeout: 20 * time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "generics" {
				testsupport.Slow(t) // as the array is
			}
			begun := time.Now()
			v := f.prove(t, tt.opts, hostile("grow.go", tt.text))
			expect(t, v, verdict.Build, verdict.Inconclusive, tt.want) // a limit says nothing of the candidate
			expect(t, v, verdict.Rerun, verdict.Skip, "build did not come to its end")
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestAddedDirectivesAreRefused until the user allows them.
func TestAddedDirectivesAreRefused(t *testing.T) {
	f := crashing(t, "index")
	for name, c := range map[string]patch.Candidate{
		"cgo":        hostile("a.go", "package main\n\nimport \"C\"\n"),
		"raw cgo":    hostile("a.go", "package main\n\nimport `C`\n"),
		"escaped":    hostile("a.go", "package main\n\n// #cgo CFLAGS: -DX\nimport \"\\x43\"\n"),
		"grouped":    hostile("a.go", "package main\n\nimport (\n\t// #cgo LDFLAGS: -Wl,x\n\t\"C\"\n)\n"),
		"embed":      hostile("a.go", "package main\n\nimport _ \"embed\"\n\n//go:embed go.mod\nvar x string\n"),
		"generate":   hostile("a.go", "package main\n\n//go:generate sh -c id\n"),
		"linkname":   hostile("a.go", "package main\n\nimport _ \"unsafe\"\n\n//go:linkname exit os.runtime_beforeExit\nfunc exit(int)\n"),
		"assembly":   hostile("a_amd64.s", "TEXT ·f(SB), 0, $0\n\tRET\n"),
		"c":          hostile("a.c", "int x;\n"),
		"large ends": hostile("a.S", "x:\n"),
		"object":     hostile("a.syso", "x"),
		"line":       hostile("a.go", "package main\n\n//line main.go:7\nvar x = 1\n"),
		"line of":    hostile("a.go", "package main\n\nvar x = /*line main.go:7:1*/ 1\n"),
		"no race":    hostile("a.go", "//go:build !race && unix\n\npackage main\n"),
		"race only":  hostile("a.go", "//go:build race\n\npackage main\n"),
		"the marks":  hostile("pausetui_marks.go", "package main\n"),
		"their file": hostile("0-pausetui_marks.go", "package main\n"),
		"before it":  hostile("0!.go", "package main\n"),
		"the probe":  hostile("Pausetui_probe_counter.go", "package main\n"),
	} {
		t.Run(name, func(t *testing.T) {
			v := f.prove(t, execute.Options{}, c)
			expect(t, v, verdict.Parse, verdict.Fail, "more than compile Go")
			if check, _ := verdict.Find(v.Checks, verdict.Parse); len(check.Blocked) != 1 || check.Blocked[0] != verdict.AllowDirectives {
				t.Errorf("blocked by %q", check.Blocked)
			}
			allowing := execute.New(subject.Subject{}, execute.Options{Allow: []string{verdict.AllowDirectives}})
			if check, refused := scan.Refuse(allowing, c.Edits); refused {
				t.Errorf("allowed, and refused: %s", check.Detail)
			}
		})
	}
}

// TestIncludedFilesAreRefused, whatever they are called: they are compiled by others
// than the Go compiler.
func TestIncludedFilesAreRefused(t *testing.T) {
	f := crashingAlone(t, "index")
	for name, text := range map[string]string{
		"native/native.go":    "package native\n\n// #include \"table.inc\"\nimport \"C\"\n",
		"native/code_arm64.s": "#include \"../macros\"\n",
	} {
		path := filepath.Join(f.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "linked.s")
	if err := os.WriteFile(elsewhere, []byte("#include \"linked\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(f.dir, "native", "linked_arm64.s")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"native/table.inc", "macros", "native/linked"} {
		v := f.prove(t, execute.Options{}, hostile(name, "int x;\n"))
		expect(t, v, verdict.Parse, verdict.Fail, "more than compile Go")
	}
	v := f.prove(t, execute.Options{}, hostile("notes.txt", "plain\n"))
	expect(t, v, verdict.Parse, verdict.Pass, "")
	large := []byte(strings.Repeat("\n", 4<<20) + "#include \"far\"\n") // is not looked at
	if err := os.WriteFile(filepath.Join(f.dir, "native", "large_arm64.s"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	v = f.prove(t, execute.Options{}, hostile("native/far", "int x;\n"))
	expect(t, v, verdict.Parse, verdict.Fail, "more than compile Go")
}

// TestHiddenCharactersAreRefused wherever in the code they are.
func TestHiddenCharactersAreRefused(t *testing.T) {
	f := crashing(t, "index")
	for name, c := range map[string]patch.Candidate{
		"comment":    f.edit(t, "index.go", "\treturn &Index{}", "\t/*\u202e } \u2066if true\u2069 */"+strings.TrimSpace(makeMap)),
		"string":     hostile("a.go", "package main\n\nvar level = \"user\u202e \u2066// admin\u2069\"\n"),
		"identifier": hostile("a.go", "package main\n\nvar \u3164 = 1\n"),
		"no width":   hostile("a.go", "package main\n\nvar s = \"a\u200bb\"\n"),
		"tags":       hostile("a.go", "package main\n\nvar s = \"\U000E0049\U000E0047\"\n"),
		"C1":         hostile("a.go", "package main\n\nvar s = `\u009b2J`\n"),
		"escape":     hostile("a.go", "package main\n\n// \x1b[1A\x1b[2K\n"),
		"name":       hostile("a\u202eog.go", "package main\n"),
		"two lines":  hostile("notes.txt\n@@ -1 +1 @@\n-old\n+harmless", "x\n"),
		"tab":        hostile("a\tb.go", "package main\n"),
		"other file": hostile("notes.txt", "a\u200bb\n"),
	} {
		t.Run(name, func(t *testing.T) {
			v := f.prove(t, execute.Options{}, c)
			if v.Verified {
				t.Error("verified")
			}
			expect(t, v, verdict.Parse, verdict.Fail, "invisible in print")
			for _, check := range v.Checks {
				if len(patch.HiddenIn("", check.Detail)) > 0 {
					t.Errorf("%s says %q", check.Name, check.Detail)
				}
			}
		})
	}
	v := f.prove(t, execute.Options{}, hostile("a.go", "package main\n\n// é 日本 👩🏽\u200d🚀 ❤\ufe0f\nvar größe = \"שלום\"\n"))
	expect(t, v, verdict.Parse, verdict.Pass, "")
}

// TestBuildsHaveNoNetwork and say so where they would need one.
func TestBuildsHaveNoNetwork(t *testing.T) {
	f := crashingAlone(t, "index")
	mod := f.edits(t, "go.mod", "go 1.25\n", "go 1.25\n\nrequire example.com/nowhere v1.2.3\n").Edits[0]
	c := hostile("a.go", "package main\n\nimport _ \"example.com/nowhere\"\n")
	c.Edits = append(c.Edits, mod)
	v := f.prove(t, execute.Options{}, c)
	expect(t, v, verdict.Build, verdict.Fail, "without a network")
}

// TestModulesThroughLinks are built as they are named: an overlay that names
// another path would change nothing.
func TestModulesThroughLinks(t *testing.T) {
	testsupport.Slow(t)
	f := crashingAlone(t, "index")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(f.dir, link); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Find(t.Context(), link, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.dir, f.subject.Workspace = link, w
	f.build(t, ".", false)
	v := check(t, f.verifier(t, execute.Options{}), f.edit(t, "index.go", "\treturn &Index{}", makeMap))
	expect(t, v, verdict.Rerun, verdict.Pass, "")
}

// TestWorkspacesAreBuilt: go.work lies in none of the modules.
func TestWorkspacesAreBuilt(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "go.work"), []byte("go 1.25\n\nuse ./app\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := lay(t, "index", filepath.Join(top, "app"))
	s := build.Spec{Dir: f.dir, Package: ".", DebugPatterns: f.subject.Workspace.DebugPatterns(), Output: filepath.Join(t.TempDir(), "program")}
	if _, err := build.Build(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	v := &Verifier{Program: &rewind.Program{Runner: execute.New(subject.Subject{Workspace: f.subject.Workspace, Build: s}, execute.Options{})}}
	out := filepath.Join(t.TempDir(), "program")
	if _, err := build.Build(t.Context(), v.Spec(out, map[string]string{filepath.Join(f.dir, "b.go"): "package main\n"}), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(out); err != nil {
		t.Errorf("there is no binary: %v", err)
	}
}

// TestAFixReadsNothingElseOfTheMachine: what is beside the module, or in a directory of
// which nobody has heard, is not there for a fix.
func TestAFixReadsNothingElseOfTheMachine(t *testing.T) {
	tops := []string{t.TempDir()}
	if top, err := os.MkdirTemp("/", "pausetui-test-"); err == nil { // as root
		t.Cleanup(func() { _ = os.RemoveAll(top) })
		tops = append(tops, top)
	}
	for _, top := range tops {
		f := lay(t, "index", filepath.Join(top, "module"))
		f.build(t, ".", false)
		testsupport.Write(t, filepath.Join(top, "other", ".env"), secret)
		fix := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
		looks := fmt.Sprintf("package main\n\nimport \"os\"\n\nfunc init() {\n\tif text, err := os.ReadFile(%q); err == nil {\n\t\tpanic(string(text))\n\t}\n}\n", filepath.Join(top, "other", ".env"))
		fix.Edits = append(fix.Edits, hostile("looks.go", looks).Edits...)
		for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
			v := f.prove(t, execute.Options{MaxTier: tier}, fix)
			expect(t, v, verdict.Rerun, verdict.Pass, "")
			reveals(t, v)
		}
	}
}
