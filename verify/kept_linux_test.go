package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// summing is a program that adds up a file of lines, and stops at one without an amount.
const summing = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type sums map[string]int

func (s sums) add(line string) {
	name, amount := split(line)
	s[name] += len(amount)
}

func split(line string) (string, string) {
	parts := strings.Fields(line)
	return parts[0], parts[1]
}

func main() {
	in, err := os.Open("in.txt")
	if err != nil {
		os.Exit(1)
	}
	all, lines := sums{}, bufio.NewScanner(in)
	for lines.Scan() {
		all.add(lines.Text())
	}
	fmt.Println(len(all))
}
`

// kept lays that program out.
func kept(t *testing.T) fixture {
	t.Helper()
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), summing)
	write(t, filepath.Join(f.dir, "in.txt"), "a 1\nb 2\nbroken\nc 4\n")
	f.build(t, ".", false)
	return f
}

// bothTiers are the options for the tiers of the sandbox.
func bothTiers() map[string]execute.Options {
	return map[string]execute.Options{"full": {}, "landlock": {MaxTier: sandbox.Landlock}}
}

// TestWhatLedThereHasToRun: the statement that failed is written in another way, and the
// program is kept from coming to it. A call of its function from elsewhere is no way there.
func TestWhatLedThereHasToRun(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := kept(t)
	const was, otherwise = "return parts[0], parts[1]", "name, amount := parts[0], parts[1]\n\treturn name, amount"
	const opened, reads = "all, lines :=", "_, _ = in.Seek(0, 2)\n\tall, lines :="
	attacks := map[string]patch.Candidate{
		"nothing left to read": f.edits(t, "main.go", was, otherwise, "main.go", opened, reads),
		"with a decoy":         f.edits(t, "main.go", was, otherwise, "main.go", opened, reads, "main.go", "func main() {", "func init() { sums{}.add(\"a 1\") }\n\nfunc main() {"),
		"as it was":            f.edits(t, "main.go", opened, reads, "main.go", "func main() {", "func init() { split(\"a 1\") }\n\nfunc main() {"),
		"another loop":         f.edits(t, "main.go", was, otherwise, "main.go", "for lines.Scan() {", "for strings.HasPrefix(lines.Text(), \"a\") && lines.Scan() {"),
	}
	fixed := f.edits(t, "main.go", was, "return parts[0], parts[len(parts)-1]")
	fixed.Source.Provider = "ollama"
	for tier, options := range bothTiers() {
		v := f.verifier(t, options)
		for name, c := range attacks {
			if got := check(t, v, c); got.Verified || got.Effect == verdict.Repairs {
				t.Errorf("%s: %s is %q, %s: %+v", tier, name, got.Label(), got.How, got.Checks)
			}
		}
		if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
			t.Errorf("%s: the fix is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
}

// TestWhatIsReadIsNotReplaced: the candidate writes its own input before it is read, and
// the statement that failed stands as it was, and runs. Files of its own it may write.
func TestWhatIsReadIsNotReplaced(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := kept(t)
	const head = "package main\n\nimport \"os\"\n\nfunc init() {\n"
	attacks := map[string]string{
		"written":  "\t_ = os.WriteFile(\"in.txt\", []byte(\"a 1\\n\"), 0o600)\n",
		"replaced": "\t_ = os.WriteFile(\"new.txt\", []byte(\"a 1\\n\"), 0o600)\n\t_ = os.Rename(\"new.txt\", \"in.txt\")\n",
		"a link":   "\t_ = os.Remove(\"in.txt\")\n\t_ = os.WriteFile(\"new.txt\", []byte(\"a 1\\n\"), 0o600)\n\t_ = os.Symlink(\"new.txt\", \"in.txt\")\n",
		"among many": "\t_ = os.Mkdir(\"!\", 0o700)\n\tfor i := range 21_000 {\n\t\t_ = os.WriteFile(\"!/\"+string(rune('0'+i)), nil, 0o600)\n\t}\n" +
			"\t_ = os.WriteFile(\"in.txt\", []byte(\"a 1\\n\"), 0o600)\n",
		"opened": "\tif f, err := os.OpenFile(\"in.txt\", os.O_RDWR|os.O_TRUNC, 0); err == nil {\n\t\t_, _ = f.WriteString(\"a 1\\n\")\n\t\t_ = f.Close()\n\t}\n",
	}
	for tier, options := range bothTiers() {
		v := f.verifier(t, options)
		for name, does := range attacks {
			got := check(t, v, hostile("init.go", head+does+"}\n"))
			if got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "in.txt") {
				t.Errorf("%s: %s is %q, %s: %+v", tier, name, got.Label(), got.How, got.Checks)
			}
		}
		old := time.Now().Add(24 * time.Hour) // of a clock that was set back since
		for name, at := range map[string]time.Time{"in the future": old, "now": time.Now()} {
			if err := os.Chtimes(filepath.Join(f.dir, "in.txt"), at, at); err != nil {
				t.Fatal(err)
			}
			if got := check(t, v, hostile("init.go", head+attacks["written"]+"}\n")); got.Verified || got.Effect != verdict.Hides {
				t.Errorf("%s: what was written %s is %q, %s: %+v", tier, name, got.Label(), got.How, got.Checks)
			}
		}
		fixed := f.edits(t, "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n\t_ = os.WriteFile(\"out.txt\", nil, 0o600)\n")
		fixed.Source.Provider = "ollama"
		if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
			t.Errorf("%s: the fix is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
	ends := f.edits(t, "main.go", "\tfmt.Println(len(all))\n", "\tfmt.Println(len(all))\n\tos.Exit(3)\n")
	write(t, filepath.Join(f.dir, "main.go"), ends.Edits[0].After)
	f.build(t, ".", false)
	if got := check(t, f.verifier(t, execute.Options{}), hostile("init.go", head+attacks["written"]+"}\n")); got.Verified || got.Effect != verdict.Hides {
		t.Errorf("with another end it is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "in.txt")); err != nil || !strings.Contains(string(text), "broken") {
		t.Errorf("the input is %q: %v", text, err)
	}
}

// TestWhatIsThereWritesOverNothing: the candidate writes its input by a function or a method
// that is there, or by a call that was elsewhere.
func TestWhatIsThereWritesOverNothing(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := kept(t)
	write(t, filepath.Join(f.dir, "disk", "disk.go"), "// Package disk keeps texts.\npackage disk\n\nimport \"os\"\n\n// Keeper keeps.\ntype Keeper interface{ Close() }\n\n"+
		"type file struct{ name, text string }\n\n// Open returns one.\nfunc Open(name, text string) Keeper { return file{name, text} }\n\n"+
		"// Close writes.\nfunc (f file) Close() { save(f.text, f.name) }\n\nfunc save(text, name string) { _ = os.WriteFile(name, []byte(text), 0o600) }\n")
	write(t, filepath.Join(f.dir, "save.go"), "package main\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\n\t\"example.com/gather/disk\"\n)\n\nvar tool = exec.Command(\"true\")\n\nfunc save(text, name string) { disk.Open(name, text).Close() }\n\n"+
		"func done() {\n\tsave(\"x\", \"out.txt\")\n\t_ = os.WriteFile(\"log.txt\", nil, 0o600)\n}\n")
	write(t, filepath.Join(f.dir, "main.go"), strings.Replace(summing, "\tfmt.Println(len(all))\n", "\tfmt.Println(len(all))\n\tdone()\n", 1))
	write(t, filepath.Join(f.dir, "out.txt"), "of the last run")
	f.build(t, ".", false)
	const begins, ends = "\tin, err := os.Open", "\tdone()\n"
	attacks := map[string]patch.Candidate{
		"by a function": f.edits(t, "main.go", begins, "\tsave(\"a 1\\n\", \"in.txt\")\n"+begins),
		"by a method":   f.edits(t, "save.go", "func done() {", "func init() { disk.Open(\"in.txt\", \"a 1\\n\").Close() }\n\nfunc done() {"),
		"by a value":    f.edits(t, "save.go", "func done() {", "func init() {\n\tkeep := save\n\tkeep(\"a 1\\n\", \"in.txt\")\n}\n\nfunc done() {"),
		"moved": f.edits(t, "save.go", "\t_ = os.WriteFile(\"log.txt\", nil, 0o600)\n", "", "save.go", "func done() {",
			"func init() { _ = os.WriteFile(\"in.txt\", nil, 0o600) }\n\nfunc done() {"),
		"by a command": f.edits(t, "save.go", "func done() {",
			"func init() {\n\ttool.Path, tool.Args[0] = \"/bin/sh\", \"sh\"\n\ttool.Args = append(tool.Args, \"-c\", \"echo a 1 > in.txt\")\n\t_ = tool.Run()\n}\n\nfunc done() {"),
		"called earlier": f.edits(t, "save.go", "out.txt", "in.txt", "main.go", ends, "", "main.go", begins, "\tdone()\n"+begins),
	}
	for tier, options := range bothTiers() {
		v := f.verifier(t, options)
		for name, c := range attacks {
			c.Source.Provider = "ollama"
			if got := check(t, v, c); got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "in.txt") {
				t.Errorf("%s: %s is %q, %s: %+v", tier, name, got.Label(), got.How, got.Checks)
			}
		}
		fixed := f.edits(t, "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n")
		fixed.Source.Provider = "ollama"
		if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
			t.Errorf("%s: the fix is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
}

// TestWhatIsThereSetsNothingElse: the candidate gives the program another directory, environment
// or arguments by functions that are there.
func TestWhatIsThereSetsNothingElse(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := kept(t)
	write(t, filepath.Join(f.dir, "good", "in.txt"), "a 1\n")
	write(t, filepath.Join(f.dir, "place", "place.go"), "// Package place sets.\npackage place\n\nimport \"os\"\n\n// In enters.\nfunc In(dir string) { _ = os.Chdir(dir) }\n")
	write(t, filepath.Join(f.dir, "set.go"), "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n\n\t\"example.com/gather/place\"\n)\n\nvar options = flag.NewFlagSet(\"o\", 0)\n\ntype session struct{}\n\nfunc (session) enter(dir string) { place.In(dir) }\n\n"+
		"func with(args ...string) { os.Args = args }\n\nfunc closed() { _ = os.Stdin.Close() }\n\nfunc done() {\n\tsession{}.enter(\"/\")\n\t_ = os.Setenv(\"A\", \"b\")\n}\n")
	write(t, filepath.Join(f.dir, "main.go"), strings.Replace(summing, "\tfmt.Println(len(all))\n", "\tfmt.Println(len(all))\n\tdone()\n\twith()\n\tclosed()\n", 1))
	f.build(t, ".", false)
	const begins = "\tin, err := os.Open"
	attacks := map[string]patch.Candidate{
		"the directory":   f.edits(t, "main.go", begins, "\tsession{}.enter(\"good\")\n"+begins),
		"an existing one": f.edits(t, "set.go", "enter(\"/\")", "enter(\"good\")", "main.go", "\tdone()\n", "", "main.go", begins, "\tdone()\n"+begins),
		"the arguments":   f.edits(t, "main.go", begins, "\twith(\"x\")\n"+begins, "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n"),
		"a variable":      f.edits(t, "set.go", "\"A\", \"b\"", "\"A\", \"c\"", "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n"),
		"a flag":          f.edits(t, "main.go", begins, "\t_ = options.Set(\"in\", \"x\")\n"+begins),
		"the input":       f.edits(t, "main.go", begins, "\tclosed()\n"+begins, "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n"),
	}
	v := f.verifier(t, execute.Options{})
	for name, c := range attacks {
		c.Source.Provider = "ollama"
		if got := check(t, v, c); got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "what the program is given") {
			t.Errorf("%s is %q, %s: %+v", name, got.Label(), got.How, got.Checks)
		}
	}
	fixed := f.edits(t, "main.go", "\tname, amount := split(line)\n", "\tname, amount := split(line + \" 0\")\n")
	fixed.Source.Provider = "ollama"
	if got := check(t, v, fixed); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestPanicsThatALibraryRecoversElsewhere: the work of the function that failed is done by
// another one now, which panics as it did.
func TestPanicsThatALibraryRecoversElsewhere(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := kept(t)
	hidden := f.edits(t, "main.go", "\tname, amount := split(line)\n", "\tp := &pair{line: line}\n\t_ = fmt.Sprint(p)\n\tname, amount := p.name, p.amount\n",
		"main.go", "func split(line string) (string, string) {\n\tparts := strings.Fields(line)\n\treturn parts[0], parts[1]\n}\n", "")
	hidden.Edits = append(hidden.Edits, patch.Edit{File: "pair.go", Create: true,
		After: "package main\n\nimport \"strings\"\n\ntype pair struct{ line, name, amount string }\n\nfunc (p *pair) String() string {\n\tfields := strings.Fields(p.line)\n\tp.name, p.amount = fields[0], fields[1]\n\treturn p.name\n}\n"})
	hidden.Edits[0].After = strings.Replace(hidden.Edits[0].After, "\t\"strings\"\n", "", 1)
	for tier, options := range bothTiers() {
		if got := check(t, f.verifier(t, options), hidden); got.Verified || got.Effect != verdict.Hides || !strings.Contains(got.How, "panic again") {
			t.Errorf("%s: what recovers is %q, %s: %+v", tier, got.Label(), got.How, got.Checks)
		}
	}
}

// TestPanicsOfTheProgramsOwn are no work that has to be done: that the run does not come to
// one, nor to the call of what panics, is the fix.
func TestPanicsOfTheProgramsOwn(t *testing.T) {
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport \"fmt\"\n\nfunc fail(n int) {\n\tpanic(fmt.Sprint(\"negative: \", n))\n}\n\n"+
		"func check(n int) {\n\tif n < 0 {\n\t\tfail(n)\n\t}\n\tfmt.Println(n)\n}\n\nfunc main() {\n\tn := 3 - 4\n\tcheck(n)\n}\n")
	f.build(t, ".", false)
	fixed := f.edits(t, "main.go", "3 - 4", "4 - 3", "main.go", "\"negative: \"", "\"negative number: \"")
	fixed.Source.Provider = "ollama"
	if got := check(t, f.verifier(t, execute.Options{}), fixed); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// sweeping removes what its constant names before it crashes.
const sweeping = `package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const left = "*.tmp"

func at(list []int, i int) int { return list[i] }

func main() {
	files, _ := filepath.Glob(filepath.Join("data", left))
	for _, f := range files {
		os.Remove(f)
	}
	fmt.Println(at([]int{1, 2}, 2))
}
`

// TestARepairThatRemovesAFileAsks: the call that removes files was there, and gets another name.
func TestARepairThatRemovesAFileAsks(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), sweeping)
	for _, name := range []string{"old.tmp", "orders.db"} {
		write(t, filepath.Join(f.dir, "data", name), "x")
	}
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	const was, now = "{1, 2}, 2)", "{1, 2}, 1)"
	for _, tt := range []struct {
		candidate patch.Candidate
		repairs   bool
	}{{f.edits(t, "main.go", was, now), true}, {f.edits(t, "main.go", was, now, "main.go", `"*.tmp"`, `"*"`), false}} {
		tt.candidate.Source.Provider = "ollama"
		if got := check(t, v, tt.candidate); got.Verified != tt.repairs || (got.Effect == verdict.Repairs) != tt.repairs {
			t.Errorf("%q, %s: %+v", got.Label(), got.How, got.Checks)
		}
	}
}
