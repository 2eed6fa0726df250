//go:build linux

package parity

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-delve/delve/cmd/dlv/cmds"
	"github.com/go-delve/delve/pkg/terminal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine/console"
)

const document = "../../../docs/dlv-parity.md"

var update = flag.Bool("update", false, "write the comparisons into docs/dlv-parity.md")

// table returns the rows of the table below a heading, cell by cell.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var rows [][]string
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows[2:]
}

var quoted = regexp.MustCompile("`([^`]*)`")

func names(cell string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		out = append(out, m[1])
	}
	return out
}

// dlvCommands takes the names and aliases of dlv's commands from its own
// documentation, those of recordings included.
func dlvCommands() map[string][]string {
	var b bytes.Buffer
	terminal.DebugCommands(nil).WriteMarkdown(&b)
	_, text, _ := strings.Cut(b.String(), "# Commands\n")
	out := map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			name = ""
			if !strings.Contains(rest, " ") { // not the headings of groups
				name = rest
				out[name] = nil
			}
		}
		if rest, ok := strings.CutPrefix(line, "Aliases:"); ok && name != "" {
			out[name] = strings.Fields(rest)
		}
	}
	return out
}

// elsewhere are comparisons that other tests than TestAnswers make, by command.
var elsewhere = map[string][]string{
	"break": {"places"}, "trace": {"places"}, "watch": {"places"}, "clear": {"places"}, "toggle": {"places"}, "breakpoints": {"places"},
	"jump": {"stop"}, "source": {"values"},
}

func compared(command string) []string {
	list := slices.Clone(elsewhere[command])
	for _, r := range runs {
		if r.command == command {
			list = append(list, r.compare)
		}
	}
	for _, m := range motions {
		if m.command == command {
			list = append(list, "stop")
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestEveryCommandOfDlvIsInTheDocument(t *testing.T) {
	theirs := dlvCommands()
	if len(theirs) < 50 {
		t.Fatalf("only %d commands of dlv were found", len(theirs))
	}
	ours := console.NewTable()
	seen := map[string]bool{}
	for _, row := range table(t, "On the command line") {
		all := names(row[0])
		name := all[0]
		seen[name] = true
		aliases, ok := theirs[name]
		if !ok {
			t.Errorf("%s is no command of dlv", name)
			continue
		}
		if !slices.Equal(all[1:], aliases) {
			t.Errorf("%s: the aliases are %v, the document says %v", name, aliases, all[1:])
		}
		if row[1] == "same" {
			for _, n := range all {
				if c, ok := ours.Find(n); !ok || c.Name != name {
					t.Errorf("our command line has no %s, or it is another command than %s", n, name)
				}
			}
		} else if row[1] != "no" || row[2] == "" {
			t.Errorf("%s: neither same, nor no with a reason", name)
		}
		checkCompared(t, name, row[3])
	}
	for name := range theirs {
		if !seen[name] {
			t.Errorf("the document lacks %s", name)
		}
	}
}

// checkCompared holds the last column against what the tests do.
func checkCompared(t *testing.T, name, cell string) {
	t.Helper()
	made := compared(name)
	if why, none := strings.CutPrefix(cell, "none: "); none {
		if why == "" || len(made) > 0 {
			t.Errorf("%s: %q, but it is compared by %v", name, cell, made)
		}
		return
	}
	claimed := strings.Split(cell, ", ")
	slices.Sort(claimed)
	if !slices.Equal(claimed, made) {
		t.Errorf("%s: the document says it is compared by %v, the tests do by %v", name, claimed, made)
	}
}

func TestEveryOptionOfDlvIsInTheDocument(t *testing.T) {
	want := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Parent() != nil {
			want[c.CommandPath()+" "] = true
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { want[c.CommandPath()+" --"+f.Name] = true })
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { want[c.CommandPath()+" --"+f.Name] = true })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(cmds.New(true))
	if len(want) < 50 {
		t.Fatalf("only %d options of dlv were found", len(want))
	}
	for _, row := range table(t, "Commands and flags of the shell") {
		key := names(row[0])[0] + " " + strings.Join(names(row[1]), "")
		if !want[key] {
			t.Errorf("%q is none of dlv's", key)
		}
		if row[2] != "yes" && row[2] != "no" || row[3] == "" {
			t.Errorf("%q: neither yes nor no with how, or why not", key)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("the document lacks %q", key)
	}
}

func TestTheComparisonsAreSaid(t *testing.T) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(comparisons)) {
		c := comparisons[name]
		more := ""
		if c.atLeast {
			more = "; ours may say more"
		}
		fmt.Fprintf(&b, "| %s | %s%s |\n", name, c.words, more)
	}
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), "| comparison | the facts |\n| --- | --- |\n")
	if rest == b.String() {
		return
	}
	if !*update {
		t.Fatal("docs/dlv-parity.md does not say how answers are compared; -update writes it")
	}
	if err := os.WriteFile(document, []byte(head+"| comparison | the facts |\n| --- | --- |\n"+b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
