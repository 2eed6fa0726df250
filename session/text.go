package session

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
)

// Clean is printable.Text: what comes from a target, a model or a peer goes
// through it before a person sees it.
func Clean(text string) string { return printable.Text(text) }

// CleanSource is Clean for source and diffs: what cannot be seen of them is
// written out, and nothing is left out unseen.
func CleanSource(text string) string { return Clean(patch.Visible(text)) }

func cleanAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = Clean(s)
	}
	return out
}

// oneLine is text without control sequences, in one line.
func oneLine(text string) string { return printable.Folded(text) }

// markup is text that is markdown already. Whatever else the log holds is escaped as it
// is written.
type markup string

// printf writes to the log. Every argument that is text, but for markup, is a program's, a
// model's or a journal's: it is folded into a line and escaped.
func (w *story) printf(format string, args ...any) {
	for i, a := range args {
		if v := reflect.ValueOf(a); v.Kind() == reflect.String && v.Type() != reflect.TypeFor[markup]() {
			args[i] = inline(v.String())
		}
	}
	fmt.Fprintf(&w.out, format, args...)
}

var (
	// tagStart matches what begins HTML or an automatic link; "i <= n" does not.
	tagStart = lazyregexp.New("<([A-Za-z/!?])")
	// entity matches what a viewer shows as another character.
	entity = lazyregexp.New("&(#?[0-9A-Za-z]{1,40};)")
	// leading matches what makes a heading, a list, a rule, a quotation or a fence of a line
	// that it begins.
	leading = lazyregexp.New(`^(\d{0,9})([-+*.)#]+(?: |$)|>|[-=_*~]{3,}|=+$)`)
)

var (
	// emphasis matches what begins or ends words in italics, bold or struck out, or a formula.
	emphasis = lazyregexp.New(`[*~$]|\b_+|_+\b`)
	// paired matches a text in which one of these can end what another one begins: a * alone
	// is that of a pointer.
	paired = lazyregexp.New(`[^\s(\[]\*|~.*~|\$.*\$|\b_.*_\b`)
)

// inline makes text safe within a line of markdown.
func inline(text string) markup {
	text = inert(oneLine(text))
	text = strings.NewReplacer(`\|`, `\ \|`, "|", `\|`).Replace(text)
	if strings.Count(text, "`")%2 != 0 || strings.Contains(text, "``") || strings.Contains(text, "\\`") { // it would begin code that does not end here
		text = strings.NewReplacer("\\`", "\\ \\`", "`", "\\`").Replace(text)
	}
	return markup(plain(text))
}

// plain escapes, outside of code, what would set words apart, strike them out, or make a
// formula, an emoji or a reference of them.
func plain(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		part := parts[i]
		if paired.MatchString(part) {
			part = emphasis.ReplaceAllStringFunc(part, func(s string) string { return `\` + strings.Join(strings.Split(s, ""), `\`) })
			part = strings.ReplaceAll(part, `\\`, `\ \`) // the first would end the escape
		}
		parts[i] = printable.NoShortcuts(part)
	}
	return strings.Join(parts, "`")
}

// inert takes from a line of markdown what makes a viewer ask another
// machine for something, or go where the text does not say: HTML, images, links
// and what they refer to.
func inert(line string) string {
	line = tagStart.ReplaceAllString(entity.ReplaceAllString(line, "&amp;$1"), "&lt;$1")
	return strings.NewReplacer("![", `!\[`, "](", `]\(`, "][", `]\[`, "]:", `]\:`).Replace(line)
}

// opening is text that a line begins with.
func opening(text string) markup {
	return markup(leading.ReplaceAllString(string(inline(text)), `$1\$2`))
}

// code is text as code within a line.
func code(text string) markup {
	if text = strings.ReplaceAll(oneLine(text), "`", "'"); text == "" {
		text = "–"
	}
	return markup("`" + text + "`")
}

// cell makes one line of text that a table shows.
func cell(text string) string { return strings.ReplaceAll(text, "\n", " · ") }

func (w *story) diagnosed(b *Diagnosed) {
	switch {
	case b.Diagnosis.Observed != "":
		w.printf("\n**Seen in a run:** %s\n\n", b.Diagnosis.Observed)
		if h := b.Diagnosis.History; h != nil {
			w.fence("", h.Listing())
		}
	case b.Diagnosis.Sentence != "":
		w.printf("\n**Why:** %s\n\n", b.Diagnosis.Sentence)
	}
}

// fence writes text as a code block; the fence is longer than any inside. Its lines are
// indented, but for a diff's: read as text, none looks like one of the log's.
func (w *story) fence(language, text string) {
	if language == "diff" {
		text = printable.Diff(text)
	} else {
		text = printable.Block(text)
	}
	if text = strings.TrimRight(text, "\n"); text == "" {
		return
	}
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	fmt.Fprintf(&w.out, "\n%s%s\n%s\n%s\n\n", mark, language, text, mark)
}

// Tree writes a value with its loaded children to some depth, a line each.
func Tree(v debugger.Variable, depth int) string {
	var b strings.Builder
	tree(&b, v, depth, "")
	return b.String()
}

func tree(b *strings.Builder, v debugger.Variable, depth int, indent string) {
	name := v.Name
	if name == "" {
		name = "="
	}
	fmt.Fprintf(b, "%s%s  %s  %s\n", indent, name, v.Type, Short(v, 120))
	if depth <= 0 {
		return
	}
	for _, c := range v.Children {
		tree(b, c, depth-1, indent+"  ")
	}
	if v.Unloaded > 0 && len(v.Children) > 0 {
		fmt.Fprintf(b, "%s  … %d more\n", indent, v.Unloaded)
	}
}

// Unreadable says in plain words why a value could not be read.
func Unreadable(why string) string {
	switch {
	case OptimizedAway(why):
		return "optimized away: its place is not recorded here"
	case strings.Contains(why, "input/output error"), strings.Contains(why, "could not read memory"), strings.Contains(why, "bad address"):
		return "unreadable: it points to memory that is not there"
	}
	return "unreadable: " + why
}

// OptimizedAway reports whether a value could not be read because the compiler keeps
// it nowhere.
func OptimizedAway(why string) bool {
	return slices.ContainsFunc([]string{"optimized out", "could not find loclist entry", "location list", "empty OP stack"},
		func(words string) bool { return strings.Contains(why, words) })
}

// NotSet is shown for a variable that has no value yet, or none that can be read.
func NotSet(v debugger.Variable) string {
	if v.Captured {
		return "captured: step once to read it"
	}
	return "not set yet"
}

// Short is a value in one line of at most n characters.
func Short(v debugger.Variable, n int) string {
	text := v.Value
	typedNil, isTypedNil := v.TypedNil()
	switch {
	case isTypedNil:
		text = debugger.ShortType(typedNil)
	case v.Unreadable != "":
		text = "(" + Unreadable(v.Unreadable) + ")"
	case v.Unset:
		text = NotSet(v)
	case v.Nil:
		text = "nil"
	case v.Kind.String() == "string":
		text = fmt.Sprintf("%q", text)
	}
	text = strings.ReplaceAll(Clean(text), "\n", " ")
	if r := []rune(text); len(r) > n {
		text = string(r[:n-1]) + "…"
	}
	return text
}

func counted(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

func reason(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

func fileList(files []FileChange) markup {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = string(code(f.File))
	}
	return markup(strings.Join(names, ", "))
}

func sourceName(s patch.Source) string {
	if s.Provider == "" && s.Model == "" {
		return "the diagnosis"
	}
	name := s.Provider + "/" + s.Model
	if strings.HasPrefix(s.Model, s.Provider+"/") {
		name = s.Model
	}
	if s.Remote {
		name += " (remote)"
	}
	if s.Prompt != "" {
		name += " · " + s.Prompt
	}
	return name
}

func stopWords(stop debugger.Stop) string {
	switch stop.Reason {
	case debugger.ReasonExited:
		return fmt.Sprintf("exited with %d", stop.Exit.Code)
	case debugger.ReasonSignal:
		return "killed by " + stop.Exit.Signal
	}
	return "stopped (" + StopNote(stop) + ")"
}

// Number is the number of a candidate among the fixes of its session: "1" for the ID "c1".
func Number(id string) string { return strings.TrimPrefix(id, "c") }

// Called is what people read for a candidate's ID: "fix 1" for "c1".
func Called(id string) string { return "fix " + Number(id) }
