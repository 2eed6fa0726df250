package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/cli/bench"
	cliconfig "github.com/pausetui/pausetui/internal/cli/config"
	"github.com/pausetui/pausetui/internal/cli/doctor"
	fixcommand "github.com/pausetui/pausetui/internal/cli/fix"
	"github.com/pausetui/pausetui/internal/cli/models"
	cliprompts "github.com/pausetui/pausetui/internal/cli/prompts"
	"github.com/pausetui/pausetui/internal/cli/sessions"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/preferences"
)

// docs/reference is made from the code where the code has a table: what stands
// between two marks of a page is written by these tests with -update (make docs)
// and compared without. The hand-written rest is held to the names in the code.

var update = flag.Bool("update", false, "write docs/reference anew")

const reference = "../../docs/reference"

func TestReferenceOfCommands(t *testing.T) {
	generated(t, "command-line.md", "commands", commandPages(newRoot()))
}

func TestReferenceOfJSON(t *testing.T) {
	d := typeDocs{t: t, tag: "json", level: "###"} // a type is documented where it is first needed
	for _, p := range []struct {
		command string
		prints  any
	}{
		{"fix", fix.Report{}}, {"sessions list", sessions.Listed{}}, {"sessions show", sessions.ShownEvent{}}, {"sessions stats", index.Stats{}}, {"sessions memory list", sessions.Remembered{}}, {"models list", models.Listed{}}, {"models show", models.Shown{}},
		{"models probe", models.Probed{}}, {"prompts list", cliprompts.Listed{}}, {"prompts check", prompts.Mistake{}},
		{"prompts render", cliprompts.Rendered{}}, {"bench cases list", bench.ListedCase{}}, {"config", cliconfig.Shown{}}, {"doctor", doctor.Examined{}},
	} {
		generated(t, "json.md", p.command, d.all(reflect.TypeOf(p.prints)))
	}
	page := readPage(t, "json.md")
	// These print what sessions list and fix print.
	page += "<!-- generated: sessions search --><!-- generated: sessions apply -->"
	for _, c := range commandsWith(newRoot(), "json") {
		if name := strings.TrimPrefix(c, "pausetui "); !strings.Contains(page, "<!-- generated: "+name+" -->") {
			t.Errorf("json.md says nothing of %s --json", c)
		}
	}
}

func TestReferenceOfTheJournal(t *testing.T) {
	d := typeDocs{t: t, tag: "json", level: "###"}
	var b strings.Builder
	for _, body := range session.Blanks() {
		typ := reflect.TypeOf(body).Elem()
		d.seen = append(d.seen, typ)
		fmt.Fprintf(&b, "### %s\n\n%s\n", body.Kind(), d.table(typ))
	}
	generated(t, "journal.md", "kinds", b.String())
	generated(t, "journal.md", "types", d.rest())
}

func TestReferenceOfTheConfiguration(t *testing.T) {
	d := typeDocs{t: t, tag: "toml", level: "###"}
	generated(t, "configuration.md", "keys", d.all(reflect.TypeOf(config.Config{})))
}

// The table of outcomes is that of the command fix.
func TestReferenceOfExitCodes(t *testing.T) {
	codes := map[string]string{}
	for _, row := range tableRows(readPage(t, "exit-codes.md")) {
		codes[strings.Trim(row[0], "`")] = row[len(row)-1]
	}
	for _, outcome := range []string{fix.Clean, fix.Exited, fix.Verified, fix.Fixed, fix.AppliedOut, fix.Masking, fix.Unverified, fix.Failed} {
		if want := fmt.Sprint(fixcommand.ExitCode(outcome)); codes[outcome] != want {
			t.Errorf("exit-codes.md: outcome %q has the code %q, want %s", outcome, codes[outcome], want)
		}
	}
}

// The tables of stops have the classes and reasons of the code, and no others.
func TestReferenceOfStops(t *testing.T) {
	classes, reasons, ok := strings.Cut(readPage(t, "stops.md"), "\n## Reasons\n")
	if !ok {
		t.Fatal("stops.md lacks the section Reasons")
	}
	for name, page := range map[string]string{"Class": classes, "Reason": reasons} {
		var documented, real []string
		for _, row := range tableRows(page) {
			documented = append(documented, strings.Trim(row[0], "`"))
		}
		for _, c := range enumOf(t, "debugger", name) {
			real = append(real, c.value)
		}
		slices.Sort(documented)
		slices.Sort(real)
		if !slices.Equal(documented, real) {
			t.Errorf("stops.md has as %s\n%v, the code\n%v", name, documented, real)
		}
	}
}

// files.md names the files that are kept between sessions.
func TestReferenceOfFiles(t *testing.T) {
	d := typeDocs{t: t, tag: "yaml", level: "###"}
	generated(t, "files.md", "front matter", d.all(reflect.TypeOf(session.FrontMatter{})))
	page := readPage(t, "files.md")
	for _, path := range []string{config.UserFile(), preferences.Path(), catalog.Path(), choose.RecordsPath(), choose.BenchPath(), prompts.TokensFile()} {
		if !strings.Contains(page, "`"+filepath.Base(path)+"`") {
			t.Errorf("files.md does not name %s", filepath.Base(path))
		}
	}
}

// Links between the pages, and from the documents at the top, lead somewhere.
func TestLinksOfDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	var files []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/decisions/*.md", reference + "/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			}
		}
	}
}

// The recipes name files and packages that exist.
func TestPathsOfRecipes(t *testing.T) {
	data, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile("`([a-z]+(?:/[a-z_]+)+(?:\\.go)?)`").FindAllStringSubmatch(string(data), -1)
	if len(paths) < 20 {
		t.Fatalf("%d paths", len(paths))
	}
	for _, m := range paths {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Errorf("docs/recipes.md: %v", err)
		}
	}
}

// generated holds what stands between the marks of a page to body.
func generated(t *testing.T, page, name, body string) {
	t.Helper()
	file := filepath.Join(reference, page)
	open, end := "<!-- generated: "+name+" -->\n", "<!-- /generated -->"
	head, rest, ok := strings.Cut(readPage(t, page), open)
	old, tail, closed := strings.Cut(rest, end)
	switch body = "\n" + strings.TrimSpace(body) + "\n\n"; {
	case !ok || !closed:
		t.Errorf("%s lacks the marks %q and %q", page, open, end)
	case old == body:
	case !*update:
		t.Errorf("%s, %s: stale: run make docs", page, name)
	default:
		if err := os.WriteFile(file, []byte(head+open+body+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(reference, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tableRows are the cells of the rows whose first cell is code.
func tableRows(page string) (rows [][]string) {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| `") {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

// commandPages documents a command and those below it.
func commandPages(c *cobra.Command) string {
	var b strings.Builder
	if c.Runnable() || c.HasParent() {
		fmt.Fprintf(&b, "## %s\n\n", c.CommandPath())
		long := c.Long
		if long == "" {
			long = c.Short + "."
		}
		fmt.Fprintf(&b, "%s\n\n", long)
		if c.Runnable() {
			fmt.Fprintf(&b, "    %s\n\n", c.UseLine())
		}
		if c.Example != "" {
			fmt.Fprintf(&b, "Examples:\n\n%s\n\n", indented(c.Example))
		}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.AddFlagSet(c.LocalFlags())
		flags.AddFlagSet(c.InheritedFlags())
		if usage := flags.FlagUsagesWrapped(0); usage != "" {
			fmt.Fprintf(&b, "Flags:\n\n```\n%s```\n\n", usage)
		}
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" && sub.Name() != "completion" {
			b.WriteString(commandPages(sub))
		}
	}
	return b.String()
}

// commandsWith are the commands that have a flag of their own.
func commandsWith(c *cobra.Command, flag string) (list []string) {
	if c.Flags().Lookup(flag) != nil {
		list = append(list, c.CommandPath())
	}
	for _, sub := range c.Commands() {
		list = append(list, commandsWith(sub, flag)...)
	}
	return list
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
