package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestMovedWorkHasToRun: the statement that failed is where no run passes, or
// where a panic is swallowed. Moved to where it does its work, it is a repair.
func TestMovedWorkHasToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashing(t, "index")
	v := f.verifier(t, Options{})
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
