package builtin

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strconv"
	"strings"
)

// What a function should do in a case that it does not handle is often written
// down somewhere: in its comment, in a test, in the code beside it. This file
// reads the comments.

// meant is what the code itself says should happen in a case.
type meant struct {
	lines   string // statements that leave the function, or the turn of a loop
	imports []string
	how     string // completes "… and": "returns 0"
	grounds string // what says so
	weight  weight
}

// badCase are the words for a case that has nothing in it, or nothing there.
var badCase = regexp.MustCompile(`(?i)\b(no|none|empty|nothing|without|missing|unknown|absent|zero|nil|nobody|neither|not (found|set|there|known|given)|unset|does ?n[o']t|is ?n[o']t|do not|cannot be|too (short|few|small|large|long)|shorter|past|behind|beyond|after the last|out of range|outside|invalid|malformed|fewer|otherwise|other|else)\b|""|\b0 (values|items|elements|samples)\b`)

// answers are the ways to write a result in a comment.
var answers = regexp.MustCompile(`(?i)\b(?:an? |the )?(zero value|zero|nil|false|true|nothing|unchanged|as (?:it|they) (?:is|are)|empty(?: \w+)?|error|Err[A-Z]\w*|err[A-Z]\w*)\b|"[^"]*"|-?\b\d+(?:\.\d+)?\b`)

// commentSays looks in a function's comment for what it returns when there is
// nothing to work on.
func (f *fixer) commentSays(p place) (meant, bool) {
	d, ok := p.function().(*ast.FuncDecl)
	sig := p.signature()
	if !ok || d.Doc == nil || sig == nil || sig.Results().Len() == 0 {
		return meant{}, false
	}
	for _, clause := range clauses(d.Doc.Text()) {
		if !badCase.MatchString(clause) {
			continue
		}
		text, paths, ok := f.resultsSaid(p, sig, clause)
		if !ok {
			continue
		}
		return meant{
			lines: "return " + text, imports: paths, how: "returns " + text, weight: handled - 4,
			grounds: fmt.Sprintf("the comment on %s says so: %q (%s)", funcName(d), short(clause), f.where(d.Doc.Pos())),
		}, true
	}
	return meant{}, false
}

// clauses splits a comment where its sentences and half-sentences end.
func clauses(doc string) []string {
	var list []string
	for _, c := range regexp.MustCompile(`[.;:](?:\s|$)|\n\s*\n|, (?:and|or|but) `).Split(doc, -1) {
		if c = strings.Join(strings.Fields(c), " "); c != "" {
			list = append(list, c)
		}
	}
	return list
}

// resultsSaid writes the results that a clause of a comment speaks of.
func (f *fixer) resultsSaid(p place, sig *types.Signature, clause string) (text string, paths []string, ok bool) {
	n := sig.Results().Len()
	last := sig.Results().At(n - 1).Type()
	for _, m := range answers.FindAllStringSubmatch(clause, -1) {
		word, whole := strings.ToLower(m[1]), m[0]
		switch {
		case word == "error" || strings.HasPrefix(word, "err"):
			if e, path, fits := f.errorSaid(p, last, whole); fits {
				rest, known := results(p, sig, 1)
				return join(rest, e), []string{path}, known
			}
		case n == 1:
			if lit, fits := f.literalSaid(p, sig.Results().At(0).Type(), word, whole, clause); fits {
				return lit, nil, true
			}
		case word == "false" && isBool(last):
			rest, known := results(p, sig, 1)
			return join(rest, "false"), nil, known
		}
	}
	return "", nil, false
}

// errorSaid names the error that a comment speaks of, when it is one of the package's own.
func (f *fixer) errorSaid(p place, t types.Type, word string) (text, path string, ok bool) {
	if !isError(t) || p.pkg.Types == nil {
		return "", "", false
	}
	v, ok := p.pkg.Types.Scope().Lookup(strings.TrimSpace(word)).(*types.Var)
	if !ok || !implementsError(v.Type()) {
		return "", "", false
	}
	return v.Name(), "", true
}

// literalSaid writes the value of a type that a comment speaks of.
func (f *fixer) literalSaid(p place, t types.Type, word, whole, clause string) (string, bool) {
	b, basic := t.Underlying().(*types.Basic)
	_, slice := t.Underlying().(*types.Slice)
	switch {
	case strings.HasPrefix(whole, `"`):
		return whole, basic && b.Info()&types.IsString != 0
	case word == "":
		number := whole
		if !basic || b.Info()&types.IsNumeric == 0 || b.Info()&types.IsInteger != 0 && strings.Contains(number, ".") || isUnsigned(t) && strings.HasPrefix(number, "-") {
			return "", false
		}
		return number, true
	case word == "false" || word == "true":
		return word, basic && b.Info()&types.IsBoolean != 0
	case word == "nil":
		// "a nil list has …" speaks of what is given, not of what comes back.
		return "nil", !basic && nilResult(t) && regexp.MustCompile(`(?i)\b(or|is|returns?|gives?|yields?) nil\b|\bnil (if|when|for|unless|where|otherwise)\b`).MatchString(clause)
	case word == "zero" && basic && b.Info()&types.IsNumeric != 0:
		return "0", true
	case strings.HasPrefix(word, "empty") && !strings.HasPrefix(strings.ToLower(clause), "an empty") && (slice || basic && b.Info()&types.IsString != 0):
		return zero(p, t)
	case (word == "nothing" || word == "zero value") && regexp.MustCompile(`(?i)\b(returns?|gives?|is|are|yields?|has) (the |a )?(nothing|zero value)`).MatchString(clause):
		return zero(p, t)
	case word == "unchanged" || strings.HasPrefix(word, "as "):
		return f.sameParam(p, t)
	}
	return "", false
}

func nilResult(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// sameParam names the only parameter that has the type of the result.
func (f *fixer) sameParam(p place, t types.Type) (string, bool) {
	sig := p.signature()
	name := ""
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if types.Identical(v.Type(), t) {
			if name != "" || v.Name() == "" || v.Name() == "_" {
				return "", false
			}
			name = v.Name()
		}
	}
	return name, name != ""
}

// fieldComment returns what is written about a field or package-level variable:
// the comment above it and the one beside it.
func (f *fixer) fieldComment(v *types.Var) (text string, at ast.Node) {
	f.each(func(p place) {
		if at != nil || v.Pkg() == nil || p.pkg.PkgPath != v.Pkg().Path() {
			return
		}
		ast.Inspect(p.file, func(n ast.Node) bool {
			var names []*ast.Ident
			var doc, beside *ast.CommentGroup
			switch n := n.(type) {
			case *ast.Field:
				names, doc, beside = n.Names, n.Doc, n.Comment
			case *ast.ValueSpec:
				names, doc, beside = n.Names, n.Doc, n.Comment
			}
			for _, id := range names {
				if f.same(p.info().Defs[id], v) {
					text, at = strings.TrimSpace(doc.Text()+" "+beside.Text()), n
				}
			}
			return at == nil
		})
	})
	return text, at
}

var (
	mayBeNil  = regexp.MustCompile(`(?i)\b(nil|optional|may be (nil|empty|unset|absent|missing)|if (set|any|given|there is one)|unset|without one|not set)\b`)
	defaultTo = regexp.MustCompile(`(?i)\b(?:defaults? (?:is|to|of|:)?|default:|(?:zero|0|nil|empty|unset|none|missing) (?:means|is|stands for|selects|uses)|(?:if|when) (?:zero|0|nil|empty|unset|not set|missing),? (?:it is|then|use)?) ?(?:the |a )?([\w.]+)`)
	byDefault = regexp.MustCompile(`(?i)([\w.]+) (?:by default|when (?:it is )?(?:zero|0|nil|empty|unset|not set)|if (?:it is )?(?:zero|0|nil|empty|unset|not set))\b`)
)

// isOptionalByComment tells whether a field's comment says that it may be nil.
func (f *fixer) isOptionalByComment(v *types.Var) (grounds string, ok bool) {
	text, at := f.fieldComment(v)
	if text == "" || !mayBeNil.MatchString(text) {
		return "", false
	}
	for _, c := range clauses(text) {
		if mayBeNil.MatchString(c) {
			return fmt.Sprintf("the comment on %s says so: %q (%s)", v.Name(), short(c), f.where(at.Pos())), true
		}
	}
	return "", false
}

// defaultByComment reads a field's default from its comment: a number, or the
// name of a constant or variable of the package.
func (f *fixer) defaultByComment(p place, v *types.Var) (value, grounds string, ok bool) {
	text, at := f.fieldComment(v)
	for _, r := range []*regexp.Regexp{defaultTo, byDefault} {
		for _, m := range r.FindAllStringSubmatch(text, -1) {
			word := strings.TrimRight(m[1], ".")
			if lit, fits := f.valueNamed(p, v.Type(), word); fits {
				return lit, fmt.Sprintf("the comment on %s says so: %q (%s)", v.Name(), short(strings.TrimSpace(m[0])), f.where(at.Pos())), true
			}
		}
	}
	return "", "", false
}

// valueNamed turns a word of a comment into a value of a type.
func (f *fixer) valueNamed(p place, t types.Type, word string) (string, bool) {
	b, basic := t.Underlying().(*types.Basic)
	if n, err := strconv.ParseFloat(word, 64); err == nil && basic && b.Info()&types.IsNumeric != 0 && n != 0 {
		return word, named(t) == nil && (b.Info()&types.IsInteger == 0 || n == float64(int64(n)))
	}
	if p.pkg.Types == nil {
		return "", false
	}
	switch obj := p.pkg.Types.Scope().Lookup(word).(type) {
	case *types.Const, *types.Var:
		return word, types.AssignableTo(obj.Type(), t)
	}
	return "", false
}
