package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/pausetui/pausetui/fix"
)

// action is what deploy/action/action.yml may hold.
type action struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Description, Value string }
	Runs              struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, If, Shell, Run, Uses string
	WorkingDirectory               string `yaml:"working-directory"`
	Env, With                      map[string]string
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	strict := yaml.NewDecoder(bytes.NewReader(text))
	strict.KnownFields(true)
	if err := strict.Decode(into); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

func readAction(t *testing.T) (a action, text string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "deploy", "action", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	decode(t, data, &a)
	return a, string(data)
}

// fake stands in for pausetui: it notes its arguments and writes the reports that a
// run leaves.
const fake = `#!/bin/sh
printf '%s\n' "$@" >"$FAKE/args"
for a; do
	case $a in json=*|sarif=*|markdown=*|patch=*) [ -e "$FAKE/${a%%=*}" ] && cp "$FAKE/${a%%=*}" "${a#*=}" ;; esac
done
exit "$CODE"
`

// ran is what is left of a run of fix.sh.
type ran struct {
	failed  bool
	args    []string
	outputs map[string]string
	summary string
	out     string
}

// runAction runs fix.sh as the action does, with a pausetui that exits with code and
// has written reports.
func runAction(t *testing.T, code string, reports map[string]string, env ...string) ran {
	t.Helper()
	dir := t.TempDir()
	r := ran{outputs: map[string]string{}, out: filepath.Join(dir, "out put")}
	stale := filepath.Join(r.out, "pausetui.sarif") // of an earlier step
	for file, text := range map[string]string{filepath.Join(dir, "bin", "pausetui"): fake, stale: "stale"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range reports {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs(filepath.Join("..", "deploy", "action", "fix.sh"))
	if err != nil {
		t.Fatal(err)
	}
	outputs, summary := filepath.Join(dir, "outputs"), filepath.Join(dir, "summary")
	cmd := exec.CommandContext(t.Context(), script)
	cmd.Env = append([]string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "FAKE=" + dir, "CODE=" + code,
		"OUT=" + r.out, "GITHUB_OUTPUT=" + outputs, "GITHUB_STEP_SUMMARY=" + summary}, env...)
	said, err := cmd.CombinedOutput()
	r.failed = err != nil
	if len(said) > 0 {
		t.Errorf("it said %s", said)
	}
	args, _ := os.ReadFile(filepath.Join(dir, "args")) // empty: it was not run, which the test sees
	r.args = strings.Split(strings.TrimSuffix(string(args), "\n"), "\n")
	text, _ := os.ReadFile(outputs)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.outputs[name] = value
	}
	text, _ = os.ReadFile(summary)
	r.summary = string(text)
	return r
}

// reportsOf are the reports of a run with an outcome, by their formats.
func reportsOf(t *testing.T, outcome string) map[string]string {
	t.Helper()
	r := fix.Report{Version: 1, Outcome: outcome, Candidates: []fix.Candidate{}}
	if outcome == fix.Verified {
		r.Candidates = append(r.Candidates, fix.Candidate{ID: "c1", Verified: true, Diff: "--- a/x.go\n+++ b/x.go\n"})
	}
	switch outcome {
	case fix.Fixed:
		r.Applied = &fix.Applied{ID: "c1"}
	case fix.Failed:
		r.Error = &fix.Failure{Message: "it does not build"}
	}
	list := map[string]string{}
	for _, format := range []string{"json", "sarif", "markdown", "patch"} {
		var b strings.Builder
		if err := fix.Write(&b, format, r); err != nil {
			t.Fatal(err)
		}
		list[format] = b.String()
	}
	return list
}

// Only where pausetui itself fails does the step fail. Each file that there is gets
// named, and no other.
func TestTheActionTellsOutcomes(t *testing.T) {
	all := []string{"comment", "report", "sarif"}
	for name, tt := range map[string]struct {
		code    string
		report  string // its outcome; empty: pausetui wrote none
		outcome string
		files   []string
		failed  bool
	}{
		"clean":             {"0", fix.Clean, "clean", all, false},
		"fixed":             {"0", fix.Fixed, "fixed", all, false},
		"verified":          {"3", fix.Verified, "verified", append([]string{"patch"}, all...), false},
		"unverified":        {"4", fix.Unverified, "unverified", all, false},
		"masking":           {"4", fix.Masking, "masking", all, false},
		"exited":            {"5", fix.Exited, "exited", all, false},
		"failed":            {"1", fix.Failed, "failed", all, true},
		"no report":         {"1", "", "failed", nil, true},
		"wrong usage":       {"2", "", "failed", nil, true},
		"killed":            {"137", "", "failed", nil, true},
		"no report, code 3": {"3", "", "verified", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			var reports map[string]string
			if tt.report != "" {
				reports = reportsOf(t, tt.report)
			}
			r := runAction(t, tt.code, reports, "PACKAGE=./store", "FLAGS=--offline", "TEST=true")
			if r.outputs["outcome"] != tt.outcome || r.failed != tt.failed {
				t.Errorf("%v, failed %v", r.outputs, r.failed)
			}
			for output, file := range map[string]string{"comment": "comment.md", "patch": "fix.patch", "report": "report.json", "sarif": "pausetui.sarif"} {
				want := ""
				if slices.Contains(tt.files, output) {
					want = filepath.Join(r.out, file)
				}
				if got, written := r.outputs[output]; got != want || !written {
					t.Errorf("%s is %q, want %q", output, got, want)
				}
			}
			if r.summary != reports["markdown"] {
				t.Errorf("summary %q, want %q", r.summary, reports["markdown"])
			}
		})
	}
}

func TestTheActionPassesFlags(t *testing.T) {
	reports := func(out string) []string {
		return []string{"--log-dir", out + "/session", "--format", "github", "--format", "json=" + out + "/report.json",
			"--format", "sarif=" + out + "/pausetui.sarif", "--format", "markdown=" + out + "/comment.md", "--format", "patch=" + out + "/fix.patch"}
	}
	for name, tt := range map[string]struct{ env, before, after []string }{
		"nothing":   {nil, []string{"fix"}, []string{"."}},
		"a test":    {[]string{"PACKAGE=./store", "TEST=true", "FLAGS=--offline"}, []string{"fix", "--offline", "--test"}, []string{"./store"}},
		"a program": {[]string{"PACKAGE=./cmd/app", "TEST=false", "ARGS=--port\n8080\n\na b; $(id)\n"}, []string{"fix"}, []string{"./cmd/app", "--", "--port", "8080", "a b; $(id)"}},
		"a model":   {[]string{"FLAGS=--model\nopenai/m \"x\"\n--allow-remote\n", "TEST=true"}, []string{"fix", "--model", `openai/m "x"`, "--allow-remote", "--test"}, []string{"."}},
	} {
		t.Run(name, func(t *testing.T) {
			r := runAction(t, "0", nil, tt.env...)
			if want := slices.Concat(tt.before, reports(r.out), tt.after); !slices.Equal(r.args, want) {
				t.Errorf("got  %q\nwant %q", r.args, want)
			}
		})
	}
}

// reference is what an expression of a workflow refers to.
var reference = regexp.MustCompile(`\$\{\{ *(inputs|steps\.\w+\.outputs)\.(\w+) *\}\}|steps\.pausetui\.outputs\.(\w+)`)

// What the action's file refers to exists, and its script runs with what it sets.
func TestTheActionFile(t *testing.T) {
	a, text := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 3 || a.Name == "" || a.Description == "" {
		t.Fatalf("%+v", a)
	}
	written := runAction(t, "3", reportsOf(t, fix.Verified)).outputs
	used := map[string]bool{}
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		used[m[2]] = true
		_, input := a.Inputs[m[2]]
		_, output := written[m[2]]
		if m[1] == "inputs" && !input || m[1] == "steps.fix.outputs" && !output || m[1] != "inputs" && m[1] != "steps.fix.outputs" {
			t.Errorf("%s refers to nothing", m[0])
		}
	}
	for name, in := range a.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("input %s is not used, or not described", name)
		}
	}
	for name, out := range a.Outputs {
		if out.Value != "${{ steps.fix.outputs."+name+" }}" || out.Description == "" {
			t.Errorf("output %s is %q", name, out.Value)
		}
	}
	if len(a.Outputs) != len(written) {
		t.Errorf("%d outputs, %v are written", len(a.Outputs), written)
	}
	run, keep := a.Runs.Steps[1], a.Runs.Steps[2]
	script, err := os.ReadFile(filepath.Join("..", "deploy", "action", "fix.sh"))
	if err != nil || run.ID != "fix" || !strings.Contains(run.Run, "/fix.sh") {
		t.Fatal(run, err)
	}
	for name := range run.Env {
		if !bytes.Contains(script, []byte("$"+name)) && !bytes.Contains(script, []byte("${"+name)) {
			t.Errorf("fix.sh does not read %s", name)
		}
	}
	if keep.With["path"] != run.Env["OUT"] || !strings.Contains(keep.If, "always()") {
		t.Errorf("what is kept is %q, what is written %q", keep.With["path"], run.Env["OUT"])
	}
}

// The recipes of the documentation use the action as it is.
func TestTheRecipesOfTheAction(t *testing.T) {
	a, _ := readAction(t)
	text, err := os.ReadFile(filepath.Join("..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")[1:]
	if len(blocks) != 2 {
		t.Fatalf("%d recipes", len(blocks))
	}
	var steps []step
	for i, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		if i > 0 { // a step alone
			var list []step
			decode(t, []byte(block), &list)
			steps = append(steps, list...)
			continue
		}
		var workflow struct {
			Name string
			On   []string
			Jobs map[string]struct {
				RunsOn      string `yaml:"runs-on"`
				Permissions map[string]string
				Steps       []step
			}
		}
		decode(t, []byte(block), &workflow)
		steps = append(steps, workflow.Jobs["test"].Steps...)
	}
	uses := 0
	for _, s := range steps {
		if !strings.Contains(s.Uses, "/deploy/action@") {
			continue
		}
		uses++
		for name := range s.With {
			if _, ok := a.Inputs[name]; !ok {
				t.Errorf("the action has no input %s", name)
			}
		}
	}
	for _, m := range reference.FindAllStringSubmatch(string(text), -1) {
		if name := m[3]; name != "" {
			if _, ok := a.Outputs[name]; !ok {
				t.Errorf("the action has no output %s", name)
			}
		}
	}
	if uses != 2 {
		t.Errorf("the action is used %d times", uses)
	}
}
