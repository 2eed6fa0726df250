package builtin

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// valueWords are the values that comments name in a result's place.
var valueWords = regexp.MustCompile("(?i)(\"[^\"]*\"|`[^`]*`|'[^']*'|\\bNaN\\b|\\bnil\\b|\\btrue\\b|\\bfalse\\b|\\bzero(?: value)?\\b|\\bone\\b|(?:\\ban? )?\\bempty (?:string|slice|map|list|text)\\b|\\+?\\binf(?:inity)?\\b|-?\\b\\d+(?:\\.\\d+)?\\b)(?:,? (?:and no error|and nil|, nil))?")

// condition words, between a value and when it is returned.
var whenWords = regexp.MustCompile(`(?i)\b(if|when|for|where|without|unless|in case|on|of an|while|as long as)\b`)

// documentedExits returns the value that the function's comment names for the
// condition that the program stopped by: "the median, or 0 if there are no values".
func (f *fixer) documentedExits(p place) []exit {
	sig := p.signature()
	if _, isDecl := p.function().(*ast.FuncDecl); !isDecl || sig == nil || sig.Results().Len() == 0 {
		return nil
	}
	first := sig.Results().At(0).Type()
	tail, ok := successTail(sig)
	if !ok {
		return nil
	}
	for _, s := range f.saidOfFunction(p) {
		value, path, ok := f.valueIn(p, s.text, first)
		if ok {
			if tail != "" {
				value += ", " + tail
			}
			w := origin - 2
			if f.returnsText(p, value) {
				w = handled - 2 // it may be of another condition, which is looked at already
			}
			return []exit{{lines: "return " + value, imports: []string{path}, weight: w, grounds: s.grounds(f), how: "returns " + value}}
		}
	}
	return nil
}

// successTail writes the results behind the first as they are when all is
// well: no error. A flag that says whether there is a value is not.
func successTail(sig *types.Signature) (string, bool) {
	switch {
	case sig.Results().Len() == 1:
		return "", true
	case sig.Results().Len() == 2 && isError(sig.Results().At(1).Type()):
		return "nil", true
	}
	return "", false
}

// valueIn reads a value of a type out of a sentence, if it says that it is the
// value under the condition of the stop.
func (f *fixer) valueIn(p place, text string, t types.Type) (value, path string, ok bool) {
	for _, m := range valueWords.FindAllStringSubmatchIndex(text, -1) {
		word := text[m[2]:m[3]]
		before, after := text[:m[0]], text[m[1]:]
		if !f.isCondition(after) && !f.leadsIn(before) {
			continue
		}
		if value, path, ok = wordValue(p, word, t); ok {
			return value, path, true
		}
	}
	return "", "", false
}

// isCondition: "0 if there are no values".
func (f *fixer) isCondition(after string) bool {
	at := whenWords.FindStringIndex(after)
	if at == nil || at[0] > 24 {
		return false
	}
	clause, _, _ := strings.Cut(after[at[0]:], ", ")
	return f.speaksOf(clause)
}

var leadIn = regexp.MustCompile(`(?i)^(.*)\b(?:is|are|gives?|returns?|yields?|has|have|counts? as|means?|stays?|becomes?)\b[^,]{0,12}$`)

// leadsIn: "for an empty list the mean is 0", "of no values it is 0".
func (f *fixer) leadsIn(before string) bool {
	m := leadIn.FindStringSubmatch(before)
	return m != nil && (whenWords.MatchString(m[1]) || strings.Contains(strings.ToLower(m[1]), " of no")) && f.speaksOf(m[1])
}

// wordValue writes a word of a comment as a value of a type.
func wordValue(p place, word string, t types.Type) (value, path string, ok bool) {
	low := strings.ToLower(word)
	zeroText, fits := zero(p, t)
	b, basic := t.Underlying().(*types.Basic)
	switch {
	case strings.HasPrefix(low, "zero"), strings.Contains(low, "empty "):
		if strings.Contains(low, "empty ") && (!basic || b.Info()&types.IsString == 0) && zeroText != "nil" {
			return "", "", false
		}
		return zeroText, "", fits
	case low == "nil":
		return "nil", "", zeroText == "nil"
	case !basic:
		return "", "", false
	case strings.ContainsAny(word[:1], "\"`'"):
		return `"` + word[1:len(word)-1] + `"`, "", b.Info()&types.IsString != 0 && !strings.ContainsAny(word[1:len(word)-1], "\"\\")
	case low == "true", low == "false":
		return low, "", b.Info()&types.IsBoolean != 0
	case low == "nan":
		return pkgName(p.file, "math") + ".NaN()", "math", b.Info()&types.IsFloat != 0
	case strings.Contains(low, "inf"):
		return pkgName(p.file, "math") + ".Inf(1)", "math", b.Info()&types.IsFloat != 0
	case low == "one":
		return "1", "", b.Info()&types.IsNumeric != 0
	}
	return word, "", b.Info()&types.IsNumeric != 0 && (b.Info()&types.IsFloat != 0 || !strings.Contains(word, ".")) && (b.Info()&types.IsUnsigned == 0 || word[0] != '-')
}

// returnsText tells whether a return statement of the function has these results.
func (f *fixer) returnsText(p place, results string) bool {
	for _, r := range returnsOf(p.function()) {
		if strings.TrimSpace(strings.TrimPrefix(f.text(r), "return")) == results {
			return true
		}
	}
	return false
}
