package pausetui_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// banned are words that users should not have to decode, each with the word to
// use. A word is listed only if it has no legitimate use.
var banned = map[string]string{
	"mend":           "fix",
	"mends":          "fixes",
	"mended":         "fixed",
	"mending":        "fixing",
	"turnaway":       "guard clause",
	"turnaways":      "guard clauses",
	"swallowers":     "recovery middleware",
	"courtesy":       "background priority",
	"gives way":      "yields",
	"give way":       "yield",
	"gave way":       "yielded",
	"is told":        "is notified, or say it directly",
	"are told":       "are notified, or say it directly",
	"was told":       "was notified, or say it directly",
	"were told":      "were notified, or say it directly",
	"anew":           "again",
	"wherefrom":      "from where",
	"whereto":        "to where",
	"whoever":        "who, or say who",
	"of before":      "earlier",
	"talk in lines":  "work in lines",
	"talks in lines": "works in lines",
	"for ever":       "forever",
	"colour":         "color",
	"colours":        "colors",
	"flavour":        "flavor",
	"flavours":       "flavors",
	"behaviour":      "behavior",
}

// contractNames are banned words that a contract fixes: names of JSON fields,
// which documents write in backquotes.
var contractNames = regexp.MustCompile("`(mended|mends)`")

// TestUsersReadPlainWords keeps banned words out of what users read: strings of
// the program, prompts, and the documents.
func TestUsersReadPlainWords(t *testing.T) {
	pattern := bannedPattern()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipsWords(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		case strings.HasSuffix(path, ".go") && holdsPrograms(path):
			return nil
		case strings.HasSuffix(path, ".go"):
			return eachString(path, func(line int, text string) { checkWords(t, pattern, path, line, text) })
		case isDocument(path):
			return eachLine(path, func(line int, text string) { checkWords(t, pattern, path, line, text) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// absent are documents and sections that a clone does not contain.
var absent = regexp.MustCompile(`\b(FINDINGS|DESIGN)\b|§`)

// TestCodeCitesWhatTheCloneContains keeps references to other documents out of
// the code: a comment states the fact itself, or points to docs.
func TestCodeCitesWhatTheCloneContains(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipsWords(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || holdsPrograms(path) || path == "words_test.go":
			return nil
		}
		return eachLine(path, func(line int, text string) {
			if found := absent.FindString(text); found != "" {
				t.Errorf("%s:%d: %q is not in the repository: state the fact", path, line, found)
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// skipsWords reports whether a directory holds no text of ours for users: logs of
// sessions, and archives of programs.
func skipsWords(path, name string) bool {
	return name == "testdata" || name != "." && strings.HasPrefix(name, ".") || path == "debug"
}

// holdsPrograms reports whether a Go file is of a program that is debugged or
// measured, which has an English of its own.
func holdsPrograms(path string) bool {
	return strings.HasPrefix(path, "examples"+string(filepath.Separator)) || strings.HasPrefix(path, filepath.Join("bench", "corpus")+string(filepath.Separator))
}

func isDocument(path string) bool {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/reference/*.md", "docs/decisions/*.md", "examples/README.md", "examples/*/README.md",
		"bench/corpus/README.md", "prompts/profiles/*.md"} {
		if ok, _ := filepath.Match(filepath.FromSlash(pattern), path); ok {
			return true
		}
	}
	return false
}

func bannedPattern() *regexp.Regexp {
	var words []string
	for word := range banned {
		words = append(words, strings.ReplaceAll(word, " ", `\s+`))
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
}

func checkWords(t *testing.T, pattern *regexp.Regexp, path string, line int, text string) {
	for _, found := range pattern.FindAllString(contractNames.ReplaceAllString(text, ""), -1) {
		word := strings.Join(strings.Fields(strings.ToLower(found)), " ")
		t.Errorf("%s:%d: %q: say %q", path, line, found, banned[word])
	}
}

// eachString calls f with the string literals of a Go file, except imports and
// struct tags.
func eachString(path string, f func(line int, text string)) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				for i, text := range strings.Split(n.Value, "\n") {
					f(set.Position(n.Pos()).Line+i, text)
				}
			}
		}
		return true
	})
	return nil
}

func eachLine(path string, f func(line int, text string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	for line := 1; scan.Scan(); line++ {
		f(line, scan.Text())
	}
	return scan.Err()
}

func TestBannedWordsAreFound(t *testing.T) {
	pattern := bannedPattern()
	for text, want := range map[string]bool{"It Mends the crash": true, "gives\tway": true, "amended": false, "mend_ids": false, "a fix": false} {
		if pattern.MatchString(text) != want {
			t.Errorf("%q: found %v, want %v", text, !want, want)
		}
	}
}
