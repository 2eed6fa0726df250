package verify

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestMovedWorkHasToRun: the statement that failed is where no run passes, or
// where a panic is swallowed. Moved to where it does its work, it is a repair.
func TestMovedWorkHasToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "index")
	v := f.verifier(t, execute.Options{})
	const work, instead, goes = "\tx.terms[word] = append(x.terms[word], at)", "return errors.New(\"nothing to report\")", "_ = errors.New(\"nothing to report\")"
	for name, tt := range map[string]struct {
		imported, now string
		effect        verdict.Effect
	}{
		"later": {"time", "\ttime.AfterFunc(time.Hour, func() {\n\t" + work + "\n\t})", verdict.Skips},
		"swallowed": {"text/template", "\tf := template.FuncMap{\"f\": func() string {\n\t" + work + "\n\t\treturn \"\"\n\t}}\n" +
			"\t_ = template.Must(template.New(\"\").Funcs(f).Parse(\"{{f}}\")).Execute(nil, nil)", verdict.Skips},
		"done": {"", "\tfunc() {\n\t\tif x.terms == nil {\n\t\t\tx.terms = map[string][]int{}\n\t\t}\n\t" + work + "\n\t}()", verdict.Repairs},
	} {
		edits := []string{"index.go", work, tt.now}
		if tt.imported != "" {
			edits = append(edits, "index.go", "package main\n", "package main\n\nimport \""+tt.imported+"\"\n", "main.go", instead, goes)
		}
		if got := check(t, v, f.edits(t, edits...)); got.Effect != tt.effect || strings.HasPrefix(got.Label(), "✓ verified") != (tt.effect == verdict.Repairs) {
			t.Errorf("%s is %q, %s: %+v", name, got.Label(), got.How, got.Checks)
		}
	}
}

// TestWhatStandsHasToRun: the program ends well because what it works on is gone,
// not because the statement that failed works now. A copy of it proves nothing.
func TestWhatStandsHasToRun(t *testing.T) {
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n)\n\n"+
		"func main() {\n\tcounts := load()\n\ttext, _ := os.ReadFile(\"in.txt\")\n\tfor _, w := range strings.Fields(string(text)) {\n\t\tcounts[w]++\n\t}\n\tfmt.Println(len(counts))\n}\n")
	write(t, filepath.Join(f.dir, "load.go"), "package main\n\nfunc load() map[string]int { return nil }\n")
	write(t, filepath.Join(f.dir, "in.txt"), "a b c\n")
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	const without = "package main\n\nimport \"os\"\n\nfunc init() {\n\tcounts, w := map[string]int{}, \"\"\n\tcounts[w]++\n\t_ = os.%s\n}\n"
	for _, does := range []string{`Rename("in.txt", "other.txt")`, `Truncate("in.txt", 0)`} {
		got := check(t, v, hostile("init.go", fmt.Sprintf(without, does)))
		if got.Verified || got.Effect != verdict.Hides || got.Has(verdict.AtOrigin) { // it is given another file
			t.Errorf("%s is %q, %s: %+v, %+v", does, got.Label(), got.How, got.Checks, got.Evidence)
		}
	}
	got := check(t, v, f.edits(t, "load.go", "return nil", "return map[string]int{}"))
	if !got.Verified || got.Effect != verdict.Repairs || !got.Has(verdict.AtOrigin) {
		t.Errorf("the fix is %q, %s: %+v, %+v", got.Label(), got.How, got.Checks, got.Evidence)
	}
}

// TestCopiesHaveToRun: the call that led to the failure is where it was for all other
// values, and waits in a goroutine for the one that failed.
func TestCopiesHaveToRun(t *testing.T) {
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	const call = "\t\tgo func() {\n\t\t\tdefer all.Done()\n\t\t\thalf(n)\n\t\t}()\n"
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n\t\"time\"\n)\n\nfunc half(n int) {\n\tfmt.Println(8 / n)\n}\n\n"+
		"func main() {\n\tvar all sync.WaitGroup\n\tfor _, n := range []int{1, 2, 0} {\n\t\tall.Add(1)\n"+call+"\t}\n\tall.Wait()\n\ttime.Sleep(time.Millisecond)\n}\n")
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	const waits = "\t\t\tif n == 0 {\n\t\t\t\tgo func() {\n\t\t\t\t\ttime.Sleep(%s)\n\t\t\t\t\thalf(n)\n\t\t\t\t}()\n\t\t\t\treturn\n\t\t\t}\n\t\t\thalf(n)\n"
	got := check(t, v, f.edits(t, "main.go", "\t\t\thalf(n)\n", fmt.Sprintf(waits, "time.Hour")))
	if got.Verified || got.Effect != verdict.Skips {
		t.Errorf("it is %q, %s: %+v, %+v", got.Label(), got.How, got.Checks, got.Evidence)
	}
}
