package theme

import (
	"github.com/pausetui/pausetui/ui/diffview"
	"github.com/pausetui/pausetui/ui/syntax"
)

// Diff is the palette of diffs.
func (t Theme) Diff() diffview.Palette {
	c := t.Colors
	p := diffview.Palette{
		Syntax:  t.syntax(),
		AddBack: c.Add, DelBack: c.Del, AddWord: c.AddStrong, DelWord: c.DelStrong,
		TintText: c.Text, AddSign: c.Good, DelSign: c.Stop,
		Path: c.Accent, Number: c.Faint, Dim: c.Dim, Focus: c.Accent, Taken: c.Good,
	}
	if !t.Tints {
		p.AddBack, p.DelBack, p.AddWord, p.DelWord = nil, nil, nil, nil
		p.AddText, p.DelText, p.Underline = c.Good, c.Stop, true
	}
	return p
}

func (t Theme) syntax() syntax.Palette {
	c := t.Colors
	return syntax.Palette{Keyword: c.Keyword, String: c.String, Number: c.Number, Comment: c.Comment,
		Type: c.Type, Function: c.Func, Builtin: c.Builtin, Operator: c.Operator}
}
