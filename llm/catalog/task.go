package catalog

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
)

// taskFile and taskSource are the case: a map that is never made.
const (
	taskFile   = "counter.go"
	taskSource = `package words

// Counter counts words.
type Counter struct {
	seen map[string]int
}

// NewCounter returns a counter that has seen nothing.
func NewCounter() *Counter {
	return &Counter{}
}

// Add counts a word once more.
func (c *Counter) Add(word string) {
	c.seen[word]++
}
`
)

func editTask() []llm.Message {
	return []llm.Message{
		{Role: "system", Text: "You fix Go programs that have stopped at a panic.\n\n" +
			"Answer in exactly this form: one short sentence of diagnosis, then one fenced block that begins with ```go and holds every function " +
			"you change, complete, from func to its closing brace, and nothing else. No package clause, no imports. Keep names, receivers and " +
			"signatures. Fix it where the bad value comes from; do not hide the failure."},
		{Role: "user", Text: fmt.Sprintf("The program stopped at line 15 of %s:\n\npanic: assignment to entry in nil map\n\n"+
			"c.seen is nil. The whole file:\n\n```go\n%s```\n\nFix it.", taskFile, taskSource)},
	}
}

// judge reports whether a reply is an edit, and a right one; trouble says what is
// wrong with it. Nothing of the reply is ever run.
func judge(reply string) (edits, fixes bool, trouble string) {
	spliced, err := patch.Splice([]byte(taskSource), taskFile, reply)
	if err != nil {
		return false, false, err.Error()
	}
	if len(spliced.Edits) != 1 || spliced.Edits[0].File != taskFile {
		return false, false, "the edit is not of the file that was shown"
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, taskFile, spliced.Edits[0].After, parser.SkipObjectResolution)
	if err != nil {
		return false, false, err.Error()
	}
	if len(file.Imports) == 0 { // the case needs none, and there is nothing to find them in
		if _, err := new(types.Config).Check("words", fset, []*ast.File{file}, nil); err != nil {
			return true, false, "the edit does not compile: " + err.Error()
		}
	}
	if !makesMap(file) {
		return true, false, "the map is still never made"
	}
	return true, true, ""
}

// makesMap reports whether a map is made somewhere: by make or a literal.
func makesMap(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			_, isMap := n.Type.(*ast.MapType)
			found = found || isMap
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" && len(n.Args) > 0 {
				_, isMap := n.Args[0].(*ast.MapType)
				found = found || isMap
			}
		}
		return !found
	})
	return found
}

const evalName = "eval"

func evalTool() llm.Tool {
	return llm.Tool{Name: evalName, Description: "Evaluates a Go expression in the paused program and returns its value.",
		Parameters: map[string]any{
			"type":       "object",
			"properties": map[string]any{"expression": map[string]any{"type": "string", "description": "a Go expression, for example len(items)"}},
			"required":   []string{"expression"},
		}}
}

func toolTask() []llm.Message {
	return []llm.Message{
		{Role: "system", Text: "You look into a paused Go program with the tools you are given. You cannot know its values without them."},
		{Role: "user", Text: "How many elements does the slice words have? Call eval to find out, and nothing else."},
	}
}

// judgeCall reports whether an answer calls the tool as it was described.
func judgeCall(a llm.Answer) (calls bool, trouble string) {
	if len(a.Calls) == 0 {
		return false, "it answered without calling the tool"
	}
	c := a.Calls[0]
	if c.Name != evalName {
		return false, fmt.Sprintf("it called %.40q, which it was not given", c.Name)
	}
	if expression, ok := c.Arguments["expression"].(string); !ok || expression == "" {
		return false, "it called the tool without its argument"
	}
	return true, ""
}
