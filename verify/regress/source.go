package regress

import (
	"fmt"
	"go/format"
	"go/types"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/regress/literal"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// source writes the test function.
func (m *maker) source(file *testFile, name string, call invocation) (string, error) {
	// Twice: the imports that the first pass finds are names that the
	// variables of the second must not have.
	if _, err := m.body(file, call); err != nil {
		return "", err
	}
	lines, err := m.body(file, call)
	if err != nil {
		return "", err
	}
	return m.wrap(file, name, m.comment("called", call.changed), lines)
}

// wrap puts statements into a test function.
func (m *maker) wrap(file *testFile, name, comment string, lines []string) (string, error) {
	testing := file.imports.Use("testing", "testing")
	text := fmt.Sprintf("func %s(t *%s.T) {\n// %s\n%s\n}\n", name, testing, comment, strings.Join(lines, "\n"))
	out, err := format.Source([]byte(text))
	if err != nil {
		return "", fmt.Errorf("the test does not parse: %w", err)
	}
	return string(out), nil
}

// body writes the statements that make the values and the call. The call is a
// statement of its own, without "_ =": a fix may give the function a result more.
func (m *maker) body(file *testFile, call invocation) ([]string, error) {
	w := literal.NewWriter(file.imports, "t")
	if call.receiver != nil {
		w.Count(call.receiver.value)
	}
	for _, a := range call.args {
		w.Count(a.value)
	}
	function := call.fn.Decl.Name.Name
	if call.receiver != nil {
		name, err := w.Variable(call.receiver.name, call.receiver.value)
		if err != nil {
			return nil, err
		}
		function = strings.TrimPrefix(name, "&") + "." + function
	}
	args, err := arguments(w, call)
	if err != nil {
		return nil, err
	}
	text := function + typeArgs(file.imports, call.types) + "(" + strings.Join(args, ", ") + ")"
	if m.deadlocked() {
		return append(w.Lines(), guarded(file, w, text)...), nil
	}
	return append(w.Lines(), text), nil
}

func arguments(w *literal.Writer, call invocation) ([]string, error) {
	var args []string
	for i, a := range call.args {
		last := i+1 == len(call.args)
		if last && call.variadic && spreadable(a.value) {
			for _, e := range a.value.Elems {
				text, err := w.Argument(a.name, e)
				if err != nil {
					return nil, err
				}
				args = append(args, text)
			}
			break
		}
		text, err := w.Argument(a.name, a.value)
		if err != nil {
			return nil, err
		}
		if last && call.variadic {
			text += "..."
		}
		args = append(args, text)
	}
	return args, nil
}

// maxSpread is how many variadic arguments are written one by one.
const maxSpread = 6

func spreadable(v *value.Value) bool {
	return v.Form == value.Zero || v.Form == value.List && len(v.Elems) > 0 && len(v.Elems) <= maxSpread
}

func typeArgs(imports *literal.Imports, args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	var list []string
	for _, t := range args {
		list = append(list, imports.Type(t))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// deadlockAfter is how many seconds a call may take that once never returned.
const deadlockAfter = 5

// guarded makes a call that may never return fail.
func guarded(file *testFile, w *literal.Writer, call string) []string {
	time := file.imports.Use("time", "time")
	done := w.Fresh("done")
	return []string{
		done + " := make(chan struct{})",
		"go func() {\ndefer close(" + done + ")\n" + call + "\n}()",
		fmt.Sprintf("select {\ncase <-%s:\ncase <-%s.After(%d * %s.Second):\nt.Fatal(\"it does not return\")\n}", done, time, deadlockAfter, time),
	}
}

// maxMessage bounds what the comment quotes, in runes.
const maxMessage = 120

func (m *maker) deadlocked() bool { return m.c.Stop.Panic.Class == debugger.Deadlock }

// comment says what the stop was. Values that changed between the call and the stop are those
// of the stop.
func (m *maker) comment(verb string, changed bool) string {
	how, message := m.stopped()
	text := "As it was " + verb + " when it " + how + ": " + message
	if changed {
		text = "It " + how + " with these values, some of which may have changed since the call: " + message
	}
	return text + "\n// " + patch.AssertsOnly(m.asserts().words)
}

// stopped says how the program stopped, and with which message, in a line.
func (m *maker) stopped() (how, message string) {
	p := m.c.Stop.Panic
	message = strings.Join(strings.FieldsFunc(p.Message, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }), " ")
	if runes := []rune(message); len(runes) > maxMessage {
		message = string(runes[:maxMessage]) + "…"
	}
	if m.c.Stop.Reason == debugger.ReasonFatal {
		return "stopped", message
	}
	return "panicked", message
}
