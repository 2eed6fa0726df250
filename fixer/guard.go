package fixer

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// guard offers every way to refuse a bad value before the statement at p.
// cond is true when the value is bad.
func (f *proposal) guard(p syntax.Place, cond string, m exits.Message, bad string) {
	anchor := p.Anchor()
	if anchor == nil || saysNothing(cond) {
		return
	}
	at := p.Of(anchor)
	equal, ok := f.inOtherBranches(p)
	if !ok || !f.repeatable(at, cond) || f.preempts(at, anchor, cond) {
		return
	}
	missing := strings.TrimSuffix(cond, " == nil")
	for _, e := range f.ExitsWithout(at, m, missing) {
		lines := "if " + cond + " {\n\t" + syntax.Indented(e.Lines) + "\n}"
		ch := f.Change().Before(anchor, lines).Need(p.File, e.Imports...)
		for _, s := range equal {
			ch.Before(s, lines)
		}
		if e.Edit != nil && !e.Edit(ch) {
			continue
		}
		f.offer(idea{rule: "guard/guard", title: fmt.Sprintf("check %s first: %s", bad, shortHow(e)), weight: e.Weight, change: ch, grounds: e.Grounds,
			why: fmt.Sprintf("Before the statement, where %s, %s %s.", cond, syntax.FuncName(at.Function()), e.How)})
	}
}

func shortHow(e exits.Exit) string {
	first, _, _ := strings.Cut(e.How, " (")
	if e.Grounds == "" {
		first, _, _ = strings.Cut(first, ",")
	}
	words := strings.Fields(first)
	verbs := map[string]string{"returns": "return", "answers": "answer", "fails": "fail", "says": "say", "ends": "end", "passes": "pass", "goes": "go", "does": "do"}
	if len(words) > 0 && verbs[words[0]] != "" {
		words[0] = verbs[words[0]]
	}
	text := strings.Join(words, " ")
	return strings.NewReplacer(" and goes ", " and go ", " and ends ", " and end ").Replace(text)
}
