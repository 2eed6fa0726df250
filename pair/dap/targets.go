package dap

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// targets is where an editor can go, and what it can name.
type targets struct{ *server }

// stepInTargets are the calls that the line of a frame has still to make.
func (s targets) stepInTargets(m *dap.StepInTargetsRequest) error {
	at, err := s.refs.frameOf(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	a := &dap.StepInTargetsResponse{Response: response(m.GetRequest())}
	a.Body.Targets = []dap.StepInTarget{}
	lister, ok := s.seat.Inspector().(debugger.CallLister)
	if !ok {
		return errNotSupported
	}
	calls, err := lister.Calls(s.underway.ctx, at)
	if err != nil {
		return err
	}
	for _, c := range calls {
		label := c.Text
		if label == "" {
			label = debugger.ShortFunction(c.Function)
		}
		a.Body.Targets = append(a.Body.Targets, dap.StepInTarget{Id: s.refs.call(c.PC), Label: session.Clean(label), Line: c.SiteLine, Column: c.Column})
	}
	s.send(a)
	return nil
}

// gotoTargets is the line itself: whether the goroutine can be set there is known when
// it is tried.
func (s targets) gotoTargets(m *dap.GotoTargetsRequest) {
	file := s.config.ours(m.Arguments.Source.Path)
	a := &dap.GotoTargetsResponse{Response: response(m.GetRequest())}
	a.Body.Targets = []dap.GotoTarget{{Id: s.refs.line(session.Place{File: file, Line: m.Arguments.Line}), Label: session.Clean(fmt.Sprintf("%s:%d", filepath.Base(file), m.Arguments.Line)), Line: m.Arguments.Line}}
	s.send(a)
}

// jump sets the next statement. The stop that follows tells where it is.
func (s targets) jump(m *dap.GotoRequest) error {
	to, err := s.refs.lineOf(m.Arguments.TargetId)
	if err != nil {
		return err
	}
	at, err := s.frameFor(0)
	if err != nil {
		return err
	}
	if g := debugger.GoroutineID(m.Arguments.ThreadId); g != 0 && g != at.Goroutine {
		at = debugger.FrameRef{Goroutine: g}
	}
	before := s.now().Seq
	if err := s.seat.Try(intent.Jump{At: at, File: to.File, Line: to.Line}); err != nil {
		return err
	}
	if err := s.until(before, func(e session.Event) (bool, error) {
		_, jumped := e.Body.(*session.Jumped)
		return jumped, nil
	}); err != nil {
		return err
	}
	s.send(&dap.GotoResponse{Response: response(m.GetRequest())})
	return nil
}

// maxOffers bounds what a completion offers.
const maxOffers = 100

// completions offers what the word before the cursor can become: commands after a
// colon, else variables of the frame, and fields after a dot.
func (s targets) completions(m *dap.CompletionsRequest) error {
	text := []rune(m.Arguments.Text)
	text = text[:min(max(m.Arguments.Column-1, 0), len(text))]
	before := string(text)
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) })+1:]
	var names []string
	switch rest, command := strings.CutPrefix(before, ":"); {
	case command && rest == word:
		for _, c := range console.NewTable().Commands() {
			names = append(names, c.Name)
		}
	default:
		at, err := s.frameFor(m.Arguments.FrameId)
		if err != nil {
			return err
		}
		if names, err = s.named(at, strings.TrimSuffix(before, word)); err != nil {
			return err
		}
	}
	a := &dap.CompletionsResponse{Response: response(m.GetRequest())}
	a.Body.Targets = []dap.CompletionItem{}
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		if strings.HasPrefix(n, word) && len(a.Body.Targets) < maxOffers {
			a.Body.Targets = append(a.Body.Targets, dap.CompletionItem{Label: session.Clean(n), Start: len(text) - len([]rune(word)), Length: len([]rune(word))})
		}
	}
	s.send(a)
	return nil
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// named are the names that can follow a text: the fields of what comes before a dot, or
// the variables of the frame.
func (s targets) named(at debugger.FrameRef, before string) (names []string, err error) {
	in := s.seat.Inspector()
	base, field := strings.CutSuffix(before, ".")
	if !field {
		f, err := in.Load(s.underway.ctx, at)
		for _, v := range f.Variables() {
			if !v.Shadowed {
				names = append(names, v.Name)
			}
		}
		return names, err
	}
	base = base[strings.LastIndexFunc(base, func(r rune) bool { return !isWord(r) && !strings.ContainsRune(".[]", r) })+1:]
	v, err := in.Evaluate(s.underway.ctx, at, base)
	if err != nil {
		return nil, nil //nolint:nilerr // it names nothing, so that nothing follows
	}
	v = v.Deref()
	if len(v.Children) == 0 && v.Expandable() {
		if v.Children, err = in.Children(s.underway.ctx, at, v, debugger.Page{}); err != nil {
			return nil, err
		}
	}
	for _, c := range v.Children {
		if c.Name != "" && isWord([]rune(c.Name)[0]) {
			names = append(names, c.Name)
		}
	}
	return names, nil
}

// breakpointLocations are the lines of a range at which a statement begins.
func (s targets) breakpointLocations(m *dap.BreakpointLocationsRequest) {
	a := &dap.BreakpointLocationsResponse{Response: response(m.GetRequest())}
	a.Body.Breakpoints = []dap.BreakpointLocation{}
	from, to := m.Arguments.Line, max(m.Arguments.Line, m.Arguments.EndLine)
	for _, line := range s.statements(s.config.ours(m.Arguments.Source.Path)) {
		if line >= from && line <= to {
			a.Body.Breakpoints = append(a.Body.Breakpoints, dap.BreakpointLocation{Line: line})
		}
	}
	s.send(a)
}

// maxFile bounds a source file, in bytes.
const maxFile = 4 << 20

// statements are the lines of a file at which a statement of a function begins.
func (s targets) statements(file string) (lines []int) {
	if filepath.Ext(file) != ".go" {
		return nil
	}
	text, err := regular.ReadUpTo(file, maxFile)
	if err != nil {
		return nil
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt, *ast.EmptyStmt, nil:
		case ast.Stmt:
			lines = append(lines, set.Position(n.Pos()).Line)
		}
		return true
	})
	slices.Sort(lines)
	return slices.Compact(lines)
}

// loadedSources are the files that the program was built from.
func (s targets) loadedSources(m *dap.LoadedSourcesRequest) error {
	symbols, ok := s.seat.Inspector().(console.Symbols)
	if !ok {
		return errNotSupported
	}
	files, err := symbols.Sources(s.underway.ctx, "")
	if err != nil {
		return err
	}
	a := &dap.LoadedSourcesResponse{Response: response(m.GetRequest())}
	a.Body.Sources = []dap.Source{}
	for _, f := range files {
		a.Body.Sources = append(a.Body.Sources, dap.Source{Name: filepath.Base(f), Path: s.config.theirs(f)})
	}
	s.send(a)
	return nil
}
