package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// documentedResult reads "returns the median, or 0 if there are no values": a
// value, and after if, when or for the case in which it is returned.
var documentedResult = lazyregexp.New("(?i)(?:\\breturns|\\bor|\\band)\\s+(\"[^\"]*\"|`[^`]*`|-?\\d+(?:\\.\\d+)?|zero|nil|true|false|Err\\w+)(?:, nil)?,? (?:if|when|for) ([^,:()]+)$")

// otherThanResult are words that turn such a sentence into another one: what
// does not happen, what is an example, an exception.
var otherThanResult = lazyregexp.New(`(?i)\b(not|never|no longer|unless|except|without error|example|instead|otherwise|used to|only|panics?|should|must|may|might)\b|n't\b|\be\.g\b|->|=>`)

// documentedExit returns what the comment on the function says it returns in
// the case that it stopped by, where one plain sentence does so and no return
// statement does yet.
func (f *exitFinder) documentedExit(p place) (exit, bool) {
	sig := p.signature()
	d, isDecl := p.function().(*ast.FuncDecl)
	if !isDecl || sig == nil || sig.Results().Len() == 0 {
		return exit{}, false
	}
	for _, s := range saidOfFunction(p) {
		m := documentedResult.FindStringSubmatch(s.text)
		if m == nil || otherThanResult.MatchString(s.text) || !f.speaksOf(m[2]) {
			continue
		}
		value, ok := documentedValue(p, sig, m[1])
		if !ok || f.returnsText(p, value) {
			continue
		}
		return exit{lines: "return " + value, weight: origin - 2, how: "returns " + value,
			grounds: fmt.Sprintf("the comment on %s reads %q (%s)", funcName(d), short(s.text), f.where(s.pos))}, true
	}
	return exit{}, false
}

// documentedValue writes all results of a function where a comment names one:
// an error of the package, or the first result where the others say that all
// is well.
func documentedValue(p place, sig *types.Signature, word string) (string, bool) {
	last := sig.Results().At(sig.Results().Len() - 1).Type()
	if v, ok := p.pkg.Types.Scope().Lookup(word).(*types.Var); ok {
		rest, fits := results(p, sig, 1)
		return join(rest, word), fits && isError(last) && implementsError(v.Type())
	}
	value, ok := wordValue(p, word, sig.Results().At(0).Type())
	switch {
	case !ok:
		return "", false
	case sig.Results().Len() == 1:
		return value, true
	case sig.Results().Len() == 2 && isError(last):
		return value + ", nil", true
	}
	return "", false
}

// wordValue writes a word of a comment as a value of a type.
func wordValue(p place, word string, t types.Type) (string, bool) {
	low := strings.ToLower(word)
	zeroText, fits := zero(p, t)
	b, basic := t.Underlying().(*types.Basic)
	switch {
	case low == "zero":
		return zeroText, fits
	case low == "nil":
		return "nil", zeroText == "nil"
	case !basic:
		return "", false
	case strings.ContainsAny(word[:1], "\"`"):
		return `"` + word[1:len(word)-1] + `"`, b.Info()&types.IsString != 0 && !strings.ContainsAny(word[1:len(word)-1], "\"\\")
	case low == "true", low == "false":
		return low, b.Info()&types.IsBoolean != 0
	}
	return word, b.Info()&types.IsNumeric != 0 && (b.Info()&types.IsFloat != 0 || !strings.Contains(word, ".")) && (b.Info()&types.IsUnsigned == 0 || word[0] != '-')
}

// returnsText reports whether a return statement of the function has these results.
func (f *exitFinder) returnsText(p place, results string) bool {
	for _, r := range returnsOf(p.function()) {
		if strings.TrimSpace(strings.TrimPrefix(f.text(r), "return")) == results {
			return true
		}
	}
	return false
}
