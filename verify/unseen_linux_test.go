package verify

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// replayed ends the program well before it comes to the site, and forged says in
// the memory of the probe that it has been there.
const replayed = `package main

import "os"

func init() {
	os.Stdout.WriteString("reading\nwords: 2\n2\n")
	os.Exit(0)
}
`

const forged = `package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"time"
)

func init() {
	fmt.Println("reading")
	if f := os.NewFile(3, "counters"); f != nil {
		var b [4096]byte
		for i := 0; i < len(b); i += 8 {
			binary.NativeEndian.PutUint64(b[i:], 9)
		}
		_, _ = f.WriteAt(b[:], 0)
	}
	panic(io.EOF)
}
`

// TestForgersAreNotVerified: they end the program in their own way, and claim
// to have come past the site.
func TestForgersAreNotVerified(t *testing.T) {
	f := crashing(t, "index")
	v := f.verifier(t, execute.Options{})
	got := check(t, v, hostile("init.go", replayed))
	if got.Verified || got.Effect != verdict.Hides {
		t.Errorf("the replay is %q: %+v", got.Label(), got.Checks)
	}
	// With a status that asks for the probe.
	quiet := strings.Replace(forged, "panic(io.EOF)", "_ = io.EOF\n\ttime.Sleep(time.Second)\n\tos.Exit(3)", 1)
	got = check(t, v, hostile("init.go", quiet))
	if c, _ := verdict.Find(got.Checks, verdict.Rerun); got.Verified || strings.Contains(c.Detail, "the failing line ran without a panic") && !strings.Contains(c.Detail, "has not got past the failing line") {
		t.Errorf("the forger is %q: %+v", got.Label(), got.Checks)
	}
}

// TestOtherToolsFilesAreLeftAlone: what git and editors run is no fix.
func TestOtherToolsFilesAreLeftAlone(t *testing.T) {
	f := crashing(t, "index")
	v := f.prove(t, execute.Options{}, patch.Candidate{ID: "c1", Edits: append(f.edit(t, "index.go", "\treturn &Index{}", makeMap).Edits,
		patch.Edit{File: ".envrc", After: "touch /tmp/x\n", Create: true})})
	expect(t, v, verdict.Scope, verdict.Fail, "belong to other tools")
}

// TestWhatIsNotBuiltIsSaid: of code for other systems nothing is proved.
func TestWhatIsNotBuiltIsSaid(t *testing.T) {
	testsupport.Slow(t)
	f := crashingAlone(t, "index")
	write(t, filepath.Join(f.dir, "other", "doc.go"), "// Command other is another one.\npackage main\n")
	write(t, filepath.Join(f.dir, "part", "more", "doc.go"), "// Package more is used by nobody.\npackage more\n")
	v := f.verifier(t, execute.Options{})
	for name, text := range map[string]string{
		"more_windows.go": "package main\n\nfunc init() { panic(1) }\n",
		"more.go":         "//go:build never\n\npackage main\n\nfunc init() { panic(1) }\n",
	} {
		c := hostile(name, text)
		c.Edits = append(c.Edits, f.edit(t, "index.go", "\treturn &Index{}", makeMap).Edits...)
		expect(t, check(t, v, c), verdict.Build, verdict.Warn, "not built here, so nothing is known of it: "+name)
	}
	apart := hostile("other/main.go", "package main\n\nfunc init() { panic(1) }\n\nfunc main() {}\n")
	apart.Edits = append(apart.Edits, f.edit(t, "index.go", "\treturn &Index{}", makeMap).Edits...)
	expect(t, check(t, v, apart), verdict.Build, verdict.Warn, "not built here, so nothing is known of it: other/main.go")
	joined := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	for name, text := range map[string]string{
		"join.go":           "package main\n\nimport _ \"example.com/index/part\"\n",
		"part/part.go":      "// Package part uses more.\npackage part\n\nimport _ \"example.com/index/part/more\"\n",
		"part/more/more.go": "package more\n",
	} {
		joined.Edits = append(joined.Edits, hostile(name, text).Edits...)
	}
	expect(t, check(t, v, joined), verdict.Build, verdict.Pass, "")
}
