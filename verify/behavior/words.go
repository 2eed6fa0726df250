package behavior

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Words writes what a difference is, for people.
type Words struct {
	Package string // the import path: its own names stand without it
}

// Input is the call with its arguments. whole tells that it is Go source.
func (w Words) Input(f Function, c replay.Call) (text string, whole bool) {
	whole = true
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		source, all := replay.Source(free(a), w.Package)
		args[i], whole = source, whole && all
	}
	if f.Receiver == "" || len(args) == 0 {
		return f.Name + "(" + strings.Join(args, ", ") + ")", whole
	}
	receiver := args[0]
	if strings.HasPrefix(receiver, "&") || strings.HasPrefix(receiver, "*") || receiver == "nil" {
		receiver = "(" + receiver + ")"
	}
	return receiver + "." + f.Name + "(" + strings.Join(args[1:], ", ") + ")", whole
}

// free is a value as a call is made with it: its locks are free.
func free(n replay.Node) replay.Node {
	if isLock(n) {
		n.Nodes, n.Names = nil, nil
		return n
	}
	n.Nodes = slices.Clone(n.Nodes)
	for i, part := range n.Nodes {
		n.Nodes[i] = free(part)
	}
	return n
}

// Outcomes say what a call did before and what it does now: the places in which two long
// answers differ are enough.
func (w Words) Outcomes(d Difference) (was, now string) {
	before, after, all := d.Before, d.After, d.Deltas
	if Failed(before) || Failed(after) {
		return w.outcome(before), w.outcome(after)
	}
	if before.Output != after.Output {
		return "prints " + strconv.Quote(before.Output), "prints " + strconv.Quote(after.Output)
	}
	if d.Kind == verdict.RowError {
		return w.errors(all)
	}
	was, now = w.answer(before), w.answer(after)
	inArguments := slices.ContainsFunc(all, func(d Delta) bool { return d.Argument })
	if len(was) <= enough && len(now) <= enough && !inArguments || len(all) == 0 {
		return was, now
	}
	var left, right []string
	for _, d := range all[:min(len(all), 3)] {
		path := d.Path
		switch {
		case strings.HasPrefix(path, ".") && !d.Argument, strings.HasPrefix(path, "[") && !d.Argument:
			path = "result" + path + " = "
		case path != "":
			path += " = "
		}
		if d.Argument {
			path = "leaves " + path
		}
		if isLock(d.Before) && isLock(d.After) {
			path = strings.TrimSuffix(path, "= ")
		}
		left, right = append(left, path+w.value(d.Before)), append(right, path+w.value(d.After))
	}
	return strings.Join(left, ", "), strings.Join(right, ", ")
}

// outcome says what a call did.
func (w Words) outcome(o replay.Outcome) string {
	switch {
	case o.Ended != "":
		return o.Ended
	case o.Panic != "":
		return "panics: " + o.Panic
	}
	return w.answer(o)
}

// Whole says all that a call did, a thing a line.
func (w Words) Whole(c replay.Call, o replay.Outcome) string {
	if Failed(o) {
		return w.outcome(o)
	}
	lines := []string{w.answer(o)}
	if len(o.Results) > 0 && len(o.After) > 0 && !leftAlone(c, o) {
		lines = append(lines, "leaves "+w.list(o.After))
	}
	if o.Output != "" && len(o.Results) > 0 {
		lines = append(lines, "prints "+strconv.Quote(o.Output))
	}
	return strings.Join(lines, "\n")
}

// leftAlone reports whether a call has changed nothing that its arguments lead to.
func leftAlone(c replay.Call, o replay.Outcome) bool {
	var leads []replay.Node
	for _, a := range c.Args {
		switch a.Kind {
		case replay.Bool, replay.Int, replay.Uint, replay.Float, replay.Complex, replay.String, replay.Array, replay.Struct, replay.Func, replay.Chan, replay.Time:
		default:
			leads = append(leads, a)
		}
	}
	return len(leads) == len(o.After) && len(deltas(replay.Outcome{After: leads}, replay.Outcome{After: o.After}, false)) == 0
}

// enough is how long an answer may be to be shown whole next to another, in bytes.
const enough = 60

// answer says what a call returned, or what it left where it returns nothing.
func (w Words) answer(o replay.Outcome) string {
	switch {
	case len(o.Results) > 0:
		return "returns " + w.list(o.Results)
	case o.Output != "":
		return "prints " + strconv.Quote(o.Output)
	case len(o.After) > 0:
		return "leaves " + w.list(o.After)
	}
	return "returns"
}

func (w Words) list(nodes []replay.Node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		parts[i] = w.value(n)
	}
	return strings.Join(parts, ", ")
}

// value writes a value; an error as what it says.
func (w Words) value(n replay.Node) string {
	if n.Kind == replay.Interface && n.Text != "" {
		said, err := strconv.Unquote(n.Text)
		if err != nil {
			said = n.Text
		}
		return "error " + strconv.Quote(said)
	}
	if isLock(n) {
		return lockWords(n)
	}
	text, _ := replay.Source(n, w.Package)
	return text
}

// Reasons lists why functions or inputs were not compared, the most frequent first.
func (c Comparison) Reasons() []string {
	var list []string
	for why := range c.Lost {
		list = append(list, why)
	}
	slices.SortFunc(list, func(a, b string) int {
		if c.Lost[a] != c.Lost[b] {
			return c.Lost[b] - c.Lost[a]
		}
		return strings.Compare(a, b)
	})
	return list
}

// Display is how people know a function: "T.Len", "Index".
func (f Function) Display() string {
	if f.Receiver == "" {
		return f.Name
	}
	return path.Base(strings.TrimPrefix(f.Receiver, "*")) + "." + f.Name
}
