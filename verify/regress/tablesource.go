package regress

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/regress/literal"
)

// source writes the test function.
func (t *table) source(name string) (string, error) {
	// Twice: the imports that the first pass finds are names that the variables of the
	// second must not have.
	if _, err := t.body(); err != nil {
		return "", err
	}
	lines, err := t.body()
	if err != nil {
		return "", err
	}
	return t.m.wrap(t.file, name, t.comment(), lines)
}

// comment says where the calls are from, and what the marks mean.
func (t *table) comment() string {
	how, message := t.m.stopped()
	text := "Calls of " + declared(t.fn) + " in a run that " + how + ": " + message
	if slices.ContainsFunc(t.rows, func(r tableRow) bool { return r.New }) {
		text += "\n" + patch.ConfirmMark + " stands beside an answer of the fix that nobody has confirmed."
	}
	return text
}

// body writes the table and the loop over it.
func (t *table) body() ([]string, error) {
	w := literal.NewWriter(t.file.imports, "t")
	for _, r := range t.rows {
		for _, v := range slices.Concat(r.args, r.wants, r.changed) {
			w.Count(v)
		}
	}
	test := w.Fresh("test")
	fields := []string{"call string"}
	for _, c := range slices.Concat(t.args, t.compared()) {
		typ := t.file.imports.Type(c.typ)
		if c.fault {
			typ = "bool"
		}
		fields = append(fields, c.name+" "+typ)
	}
	var rows []string
	for _, r := range t.rows {
		text, err := t.row(w, r)
		if err != nil && r.Needed {
			return nil, err
		}
		if err == nil {
			rows = append(rows, text)
		}
	}
	loop := "for _, " + test + " := range []struct{\n" + strings.Join(fields, "\n") + "\n}{\n" + strings.Join(rows, "\n") + "\n} {\n" + strings.Join(t.checks(w, test), "\n") + "\n}"
	return append(w.Lines(), loop), nil
}

// compared are the columns that the test compares.
func (t *table) compared() []column {
	return slices.DeleteFunc(slices.Concat(t.wants, t.changed), func(c column) bool { return c.skip != "" })
}

func (t *table) row(w *literal.Writer, r tableRow) (string, error) {
	cells := []string{strconv.Quote(r.Name)}
	for i, c := range t.args {
		text, err := w.Cell(c.name, r.args[i])
		if err != nil {
			return "", err
		}
		cells = append(cells, text)
	}
	values := slices.Concat(r.wants, r.changed)
	for i, c := range slices.Concat(t.wants, t.changed) {
		var text string
		switch {
		case c.skip != "":
			continue
		case c.fault:
			text = strconv.FormatBool(r.Answer.Results[i].Kind != replay.Nil)
		default:
			var err error
			if text, err = w.Cell(c.name, values[i]); err != nil {
				return "", err
			}
		}
		cells = append(cells, text)
	}
	line := literal.Row(cells) + ","
	if r.New {
		line += " " + patch.ConfirmMark
	}
	return line, nil
}

// checks writes the call and the comparisons.
func (t *table) checks(w *literal.Writer, test string) []string {
	var args []string
	for _, c := range t.args {
		args = append(args, test+"."+c.name)
	}
	sig := t.fn.Object.Signature()
	function := t.fn.Decl.Name.Name
	if sig.Recv() != nil {
		function, args = args[0]+"."+function, args[1:]
	}
	call := function + "(" + strings.Join(args, ", ")
	if sig.Variadic() {
		call += "..."
	}
	call += ")"
	var lines, got []string
	named := false
	for _, c := range t.wants {
		name := "_"
		if c.skip == "" {
			name, named = w.Fresh(map[bool]string{true: "err", false: "got"}[c.fault]), true
			lines = append(lines, t.check(c, test, name, "got "))
		}
		got = append(got, name)
	}
	if named {
		call = strings.Join(got, ", ") + " := " + call
	}
	for _, c := range t.changed {
		if c.skip == "" {
			name := t.args[c.arg].name
			lines = append(lines, t.check(c, test, test+"."+name, name+" is "))
		}
	}
	return append([]string{call}, lines...)
}

// check writes one comparison; what is before the value in its message.
func (t *table) check(c column, test, got, what string) string {
	want := test + "." + c.name
	differ, verb := got+" != "+want, "%v"
	switch b, basic := c.typ.Underlying().(*types.Basic); {
	case c.fault:
		return fmt.Sprintf("if (%s != nil) != %s {\nt.Errorf(\"%%s: error %%v, want one: %%v\", %s.call, %[1]s, %[2]s)\n}", got, want, test)
	case isTime(c.typ):
		differ = "!" + got + ".Equal(" + want + ")"
	case basic && b.Info()&types.IsString != 0:
		verb = "%q"
	case !basic:
		differ, verb = "!"+t.file.imports.Use("reflect", "reflect")+".DeepEqual("+got+", "+want+")", "%+v"
	}
	return fmt.Sprintf("if %s {\nt.Errorf(\"%%s: %s%s, want %[3]s\", %s.call, %s, %s)\n}", differ, what, verb, test, got, want)
}
