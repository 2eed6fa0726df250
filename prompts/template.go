package prompts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// A profile may come with another person's repository: its templates see a
// Context and nothing else, loop over sections only, and cannot write without
// end.

const (
	maxRendered = 4 << 20 // bytes of one message
	maxLoops    = 2       // loops within each other
	maxSteps    = 1 << 20 // parts of a template that are run, each as often as loops run it
)

// functions are those of text/template that make no text: with the others a
// variable can be doubled until the memory is full, without writing anything.
var functions = []string{"and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "index", "slice"}

// parts reads the body's parts "# System" and "# User".
func (r *reader) parts(body int) {
	marks := partHeading.FindAllStringSubmatchIndex(r.text[body:], -1)
	if len(marks) == 0 {
		r.fault(r.line(body), "", `want the lines "# System" and "# User"`)
		return
	}
	if lead := strings.TrimSpace(r.text[body : body+marks[0][0]]); lead != "" {
		r.fault(r.line(body), "", `nothing may come before "# System" or "# User"`)
	}
	seen := map[string]bool{}
	for i, m := range marks {
		name := strings.ToLower(r.text[body+m[2] : body+m[3]])
		end := len(r.text)
		if i+1 < len(marks) {
			end = body + marks[i+1][0]
		}
		if seen[name] {
			r.fault(r.line(body+m[0]), "", "a second part %q", name)
			continue
		}
		seen[name] = true
		t := r.template(body+m[1], end)
		if name == "user" {
			r.p.user = t
		} else {
			r.p.system = t
		}
	}
	if !seen["user"] {
		r.fault(r.line(body), "", `the part "# User" is missing`)
	}
}

// line is the line of a byte of the file.
func (r *reader) line(at int) int { return 1 + strings.Count(r.text[:at], "\n") }

// template parses a part, padded so that its errors count lines as the file
// does, and tries it: an unknown field is a mistake now, not at the first stop.
func (r *reader) template(start, end int) *template.Template {
	padding := strings.Repeat("\n", strings.Count(r.text[:start], "\n"))
	t, err := template.New("part").Option("missingkey=error").Parse(padding + r.text[start:end])
	if err == nil && t.Tree == nil { // nothing but white space
		t, err = template.New("part").Parse(" ")
	}
	if err != nil {
		r.templateFault(start, err)
		return nil
	}
	before := len(r.mistakes)
	r.steps = 0
	r.inspect(t.Root, start, 0)
	if len(t.Templates()) > 1 {
		r.fault(r.line(start), "", "define and block have no use here: a part is one template")
	}
	if len(r.mistakes) > before {
		return nil
	}
	for _, sections := range [][]Section{nil, trialSections()} {
		if err := execute(t, Context{Sections: sections}, io.Discard); err != nil {
			r.templateFault(start, err)
			return nil
		}
	}
	return t
}

// trialSections has one section of each key.
func trialSections() []Section {
	list := make([]Section, len(SectionKeys))
	for i, key := range SectionKeys {
		list[i] = Section{Key: key, Title: key, Text: key}
	}
	return list
}

var (
	templateError = lazyregexp.New(`^template: part:(\d+)(?::\d+)?: (?:executing "part" at )?(.*)$`)
	noField       = lazyregexp.New(`can't evaluate field (\w+) in type prompts\.(\w+)`)
)

// templateFault puts an error of text/template in its place.
func (r *reader) templateFault(start int, err error) {
	line, text := r.line(start), err.Error()
	if m := templateError.FindStringSubmatch(strings.ReplaceAll(text, "\n", " ")); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	if m := noField.FindStringSubmatch(text); m != nil {
		known := contextFields
		if m[2] == "Section" {
			known = sectionFields
		}
		text = fmt.Sprintf("there is no field .%s; did you mean .%s? (known: .%s)", m[1], nearest(m[1], known), strings.Join(known, ", ."))
	}
	r.fault(line, "", "%s", text)
}

var (
	contextFields = []string{"Class", "Message", "Function", "File", "Line", "Sections", "Section", "Question", "Expected"}
	sectionFields = []string{"Key", "Title", "Text", "Tokens", "Budget", "Left"}
)

// lineOf is the line of a node of the part that begins at start; the template's
// own positions count the padding.
func (r *reader) lineOf(n parse.Node, start int) int {
	padding := strings.Count(r.text[:start], "\n")
	at := min(max(start+int(n.Position())-padding, start), len(r.text))
	return r.line(at)
}

// inspect looks through a template for what can only be a mistake.
func (r *reader) inspect(n parse.Node, start, loops int) {
	within := r.steps > maxSteps
	if r.steps += repeats(loops); r.steps > maxSteps {
		if !within {
			r.fault(r.line(start), "", "the part is too long for its loops")
		}
		return
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			r.inspect(c, start, loops)
		}
	case *parse.IfNode:
		r.branch(&n.BranchNode, start, loops)
	case *parse.WithNode:
		r.branch(&n.BranchNode, start, loops)
	case *parse.RangeNode:
		if loops+1 > maxLoops { // and what is in it is not looked at: the steps would be past counting
			r.fault(r.lineOf(n, start), "", "range within range within range: two of them are enough")
		}
		if !rangesOverField(n.Pipe) {
			r.fault(r.lineOf(n, start), "", "range over %s: only .Sections can be ranged over", n.Pipe)
		}
		r.branch(&n.BranchNode, start, loops+1)
	case *parse.ActionNode:
		r.inspect(n.Pipe, start, loops)
	case *parse.TemplateNode:
		r.fault(r.lineOf(n, start), "", "template has no use here: a part is one template")
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			r.inspectCommand(c, start, loops)
		}
	}
}

// repeats is how often a part within loops is run at most.
func repeats(loops int) int {
	n := 1
	for range min(loops, maxLoops+1) {
		n *= len(SectionKeys)
	}
	return n
}

func (r *reader) branch(n *parse.BranchNode, start, loops int) {
	r.inspect(n.Pipe, start, loops)
	r.inspect(n.List, start, loops)
	r.inspect(n.ElseList, start, loops)
}

// inspectCommand holds the calls of Section to the keys that there are.
func (r *reader) inspectCommand(c *parse.CommandNode, start, loops int) {
	for _, arg := range c.Args {
		if pipe, ok := arg.(*parse.PipeNode); ok {
			r.inspect(pipe, start, loops)
		}
	}
	for _, arg := range c.Args {
		if f, ok := arg.(*parse.IdentifierNode); ok && !slices.Contains(functions, f.Ident) {
			r.fault(r.lineOf(c, start), "", "the function %q is not there; did you mean %q? (one of %s)", f.Ident, nearest(f.Ident, functions), join(functions))
		}
	}
	field := ""
	switch f := c.Args[0].(type) {
	case *parse.FieldNode:
		field = f.Ident[len(f.Ident)-1]
	case *parse.VariableNode:
		field = f.Ident[len(f.Ident)-1]
	}
	if field != "Section" || len(c.Args) != 2 {
		return
	}
	if s, ok := c.Args[1].(*parse.StringNode); ok && !slices.Contains(SectionKeys, s.Text) {
		r.fault(r.lineOf(c, start), "", "there is no section %q; did you mean %q? (one of %s)", s.Text, nearest(s.Text, SectionKeys), join(SectionKeys))
	}
}

func rangesOverField(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return false
	}
	switch a := p.Cmds[0].Args[0].(type) {
	case *parse.FieldNode:
		return len(a.Ident) == 1 && a.Ident[0] == "Sections"
	case *parse.VariableNode:
		return len(a.Ident) == 2 && a.Ident[0] == "$" && a.Ident[1] == "Sections"
	}
	return false
}

// errRendered is returned for a message that grows past its bound.
var errRendered = fmt.Errorf("the message is longer than %d bytes", maxRendered)

// bounded is a writer that fails when it is full.
type bounded struct {
	io.Writer
	left int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errRendered
	}
	return b.Writer.Write(p)
}

func execute(t *template.Template, c Context, w io.Writer) error {
	err := t.Execute(&bounded{w, maxRendered}, c)
	if errors.Is(err, errRendered) {
		return errRendered
	}
	return err
}

// message renders a part.
func message(t *template.Template, c Context) (string, error) {
	var b bytes.Buffer
	if err := execute(t, c, &b); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}
