// Package commandline is the command line with its answers: it completes, runs and
// remembers lines, and goes where an answer leads.
package commandline

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/complete"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/navigation"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/timeline"
)

// CommandLine is the command line with what it has answered.
type CommandLine struct {
	*common.Common
	Takers     []func(line string) (tea.Cmd, bool) // are offered a line before the engine gets it
	Editor     *editor.Editor
	Execution  *execution.Execution
	Navigation *navigation.Navigation
	Selection  *timeline.Selection
	Timeline   *timeline.Timeline
	prompt.Command
	Panel    *prompt.Panel
	Showing  bool // the answer to a key, not what is typed: other keys act as they do without it
	known    complete.Known
	asking   map[string]bool // needs that are being read
	answered uint64          // how many answers there have been
	table    *console.Table  // that Live named last
	displays []string        // names of the expressions that are displayed
	history  options.History // of this module; nil for none
}

// New returns a command line that is closed.
func New(c *common.Common) *CommandLine {
	cl := &CommandLine{Common: c, Panel: prompt.NewPanel(), asking: map[string]bool{}}
	cl.SetTable(console.NewTable())
	cl.Open()
	return cl
}

type (
	// HistoryMsg: the lines of earlier sessions were read.
	HistoryMsg struct {
		lines []string
		err   error
	}
	// KnownMsg: something that completion needs was read.
	KnownMsg struct {
		key    string
		round  int
		result any
	}
)

// OpenCommand opens the command line.
func (cl *CommandLine) OpenCommand() {
	cl.Open()
	cl.known.Forget()
	cl.Commanding, cl.Showing = true, false
	cl.Sync()
	if cl.Height < ManyRows {
		cl.Panel.Fold()
	}
}

// OpenAnswer opens the command line for the answer to a key, which stands above it.
func (cl *CommandLine) OpenAnswer() {
	typing := cl.Commanding
	cl.OpenCommand()
	cl.Showing = !typing
}

// ClosedBy closes the command line that shows an answer, by a key that does something else.
func (cl *CommandLine) ClosedBy(key string) bool {
	if !cl.Commanding || !cl.Showing || cl.Panel.Filtering() != nil {
		return false
	}
	if _, ok := cl.moment(key); ok {
		return false
	}
	switch key {
	case ":":
		cl.Showing = false
		return false
	case "enter", "esc", "up", "down", "ctrl+c", "pgup", "pgdown", "shift+up", "alt+up", "shift+down", "alt+down", "ctrl+home", "ctrl+end", "ctrl+s":
	default:
		cl.Commanding = false
		return true
	}
	return false
}

// LoadHistory reads the lines of earlier sessions of a module.
func (cl *CommandLine) LoadHistory(root string) tea.Cmd {
	if cl.Opts.History == nil || root == "" {
		return nil
	}
	h := cl.Opts.History(root)
	cl.history = h
	return cl.InBackground(func() tea.Msg {
		lines, err := h.Load()
		return HistoryMsg{lines, err}
	})
}

// TakeHistory takes the lines of earlier sessions.
func (cl *CommandLine) TakeHistory(msg HistoryMsg) {
	if msg.err != nil {
		cl.Say("warn", msg.err.Error())
	}
	typed := cl.Text()
	cl.History.Set(append(msg.lines, lines(&cl.History)...))
	if !cl.Commanding {
		cl.Open()
		cl.Set(typed)
	}
}

func lines(h *prompt.History) []string {
	out := make([]string, h.Len())
	for i := range out {
		out[i] = h.At(i)
	}
	return out
}

// CommandKey edits the command line, goes through its answers, or runs it.
func (cl *CommandLine) CommandKey(k tea.KeyPressMsg) tea.Cmd {
	p := cl.Panel
	if p.Filtering() != nil {
		cl.panelFilterKey(k)
		return nil
	}
	key := k.String()
	if cl.Showing && (key == "up" || key == "down") {
		key = "alt+" + key // nothing was typed before
	}
	if line, ok := cl.moment(key); ok {
		return cl.runCommand(line)
	}
	switch key {
	case "ctrl+c":
		return cl.interruptCommand()
	case "enter":
		return cl.enterCommand()
	case ":":
		if cl.Text() == "" { // it is open already
			return nil
		}
		return cl.editCommand(k)
	case "pgup":
		p.Page(-1)
	case "pgdown":
		p.Page(1)
	case "shift+up", "alt+up":
		p.Move(-1)
	case "shift+down", "alt+down":
		p.Move(1)
	case "ctrl+home":
		p.ScrollBy(-1 << 30)
	case "ctrl+end":
		p.ScrollBy(1 << 30)
	case "ctrl+s":
		p.StartFilter()
	default:
		return cl.editCommand(k)
	}
	return nil
}

// moment is the line that goes back to the selected row of the last history, if a key
// asks for that.
func (cl *CommandLine) moment(key string) (line string, ok bool) {
	if b, found := cl.Keys.Find(key); !found || b.Action != keymap.RevNext || cl.Text() != "" || cl.Opts.Remote != nil {
		return "", false
	}
	_, l, ok := cl.Panel.Selected()
	return l.Run, ok && console.LeadsBack(l) && cl.Panel.Latest(console.LeadsBack)
}

func (cl *CommandLine) editCommand(k tea.KeyPressMsg) tea.Cmd {
	switch cl.Key(k) {
	case prompt.Complete:
		return cl.completeCommand()
	case prompt.Leave:
		if !cl.Panel.Deselect() {
			cl.Commanding = false
		}
	case prompt.Nothing, prompt.Unknown:
	}
	return nil
}

// interruptCommand ends what is being carried out, or halts the target, or
// closes the line.
func (cl *CommandLine) interruptCommand() tea.Cmd {
	running := cl.Facts().Running()
	if c := cl.Ctx.Live.Command; c != nil {
		cl.Engine.Do(intent.CancelCommand{})
		if len(c.Waiting) > 0 {
			cl.Say("info", "dropped "+text.Plural(int64(len(c.Waiting)), "waiting line")+": "+text.Line(strings.Join(c.Waiting, ", ")))
		}
	}
	switch {
	case running:
		cl.Engine.Do(intent.Halt{})
	case cl.Ctx.Live.Command != nil:
	case cl.Text() != "":
		cl.Open()
	default:
		cl.Commanding = false
	}
	return nil
}

// enterCommand runs what was typed, or opens the line of an answer that the
// cursor is on; with neither it closes the command line.
func (cl *CommandLine) enterCommand() tea.Cmd {
	if _, _, ok := cl.Searching(); !ok && cl.Text() == "" {
		if e, l, ok := cl.Panel.Selected(); ok {
			return cl.openLine(e, l)
		}
	}
	cl.Said = common.Notice{}
	line, fresh := cl.Enter()
	cmd := cl.runCommand(line)
	if !fresh || cl.history == nil {
		return cmd
	}
	h := cl.history
	return tea.Batch(cmd, cl.InBackground(func() tea.Msg {
		if err := h.Add(line); err != nil {
			return HistoryMsg{err: err}
		}
		return nil
	}))
}

// runCommand hands a line to the engine, which knows commands and expressions;
// an empty one closes the command line.
func (cl *CommandLine) runCommand(input string) tea.Cmd {
	if input == "" {
		cl.Commanding = false
		return nil
	}
	for _, take := range cl.Takers {
		if cmd, taken := take(input); taken {
			return cmd
		}
	}
	do := intent.Evaluate{At: cl.Ctx.At, Input: input, Seen: cl.Ctx.State.Seq}
	carried := cl.Table().Carried(input) // "frame 1 next" is asked about as "next" is
	switch c, rest, ok := cl.Table().Split(carried); {
	case ok && c.Name == "exit" && rest == "" && cl.Facts().Alive():
		cl.Execution.AskQuit()
	case ok && c.Steps():
		cl.Execution.Move(do)
	default:
		cl.Engine.Do(do)
	}
	return nil
}

func (cl *CommandLine) panelFilterKey(k tea.KeyPressMsg) {
	p := cl.Panel
	switch k.String() {
	case "enter":
		p.EndFilter(true)
	case "esc", "ctrl+c":
		p.EndFilter(false)
	case "pgup":
		p.Page(-1)
	case "pgdown":
		p.Page(1)
	case "up", "shift+up":
		p.Move(-1)
	case "down", "shift+down":
		p.Move(1)
	default:
		if p.Filtering().Key(k) {
			p.Filter()
		}
	}
}

// openLine goes where a line of an answer leads.
func (cl *CommandLine) openLine(e session.Evaluated, l session.Line) tea.Cmd {
	switch {
	case l.Value > 0 && l.Value <= len(e.Values):
		cl.openValue(e.At, e.Values[l.Value-1])
	case l.Place != nil:
		cl.Navigation.OpenPlace(*l.Place)
	case l.Run != "":
		return cl.runCommand(l.Run)
	}
	return nil
}

// completeCommand asks for what the word at the cursor may become.
func (cl *CommandLine) completeCommand() tea.Cmd {
	offers, need := cl.known.Offers(cl.Table(), cl.Wanted(), cl.completion())
	cl.SetOffers(offers, need != nil)
	if need == nil || cl.asking[need.Key] {
		return nil
	}
	if need.Store != nil {
		var cmds []tea.Cmd
		for _, n := range need.Store {
			if cl.Ctx.Store.Begin(n) {
				cmds = append(cmds, cl.Timeline.Read(n))
			}
		}
		return tea.Batch(cmds...)
	}
	cl.asking[need.Key] = true
	round, in := cl.Ctx.State.Round, cl.Engine.Inspector()
	return cl.InBackground(func() tea.Msg { return KnownMsg{need.Key, round, need.Read(cl.Base, in)} })
}

func (cl *CommandLine) completion() complete.Input {
	return complete.Input{State: cl.Ctx.State, Store: cl.Ctx.Store, At: cl.Ctx.At, Held: cl.Facts().Held(), Guest: cl.Opts.Remote != nil}
}

// LearnedCommand takes what completion needed, and goes on with it.
func (cl *CommandLine) LearnedCommand(msg KnownMsg) tea.Cmd {
	delete(cl.asking, msg.key)
	cl.known.Take(msg.round, msg.result)
	return cl.ContinueCompletion()
}

// ContinueCompletion completes again what was waited for.
func (cl *CommandLine) ContinueCompletion() tea.Cmd {
	if !cl.Commanding || !cl.Waiting() {
		return nil
	}
	return cl.completeCommand()
}

// Evaluated does what an answer means for the screen; one of before this screen
// was there means nothing.
func (cl *CommandLine) Evaluated(b *session.Evaluated, fresh bool) tea.Cmd {
	cl.answered++
	if b.Changed || changes(b.Input) && len(b.Lines) == 0 {
		cl.Ctx.Store.Changed()
	}
	if !fresh {
		return nil
	}
	if b.Select != nil && cl.Facts().Held() {
		cl.Selection.SelectFrame(pane.SelectFrame{At: *b.Select})
	}
	if b.Show == nil {
		return nil
	}
	if b.Edit {
		return cl.editFile(b.Show.File, b.Show.Line)
	}
	cl.Panes.Source.Look(cl.Ctx, b.Show.File, b.Show.Line)
	return nil
}

// editFile opens a file of the source in the editor.
func (cl *CommandLine) editFile(file string, line int) tea.Cmd {
	if cl.Opts.Editor == "" {
		cl.Editor.NoEditor(cl.Editor.NotFound())
		return nil
	}
	return cl.Editor.RunEditor(editor.EditReadyMsg{Editing: editor.Editing{Path: file, Line: line}})
}

// Sync hands the panel the answers.
func (cl *CommandLine) Sync() {
	if t := cl.Ctx.Live.Commands; t != nil && t != cl.table {
		cl.table = t
		cl.SetTable(*t)
	}
	if cl.Commanding {
		cl.Panel.Sync(cl.Ctx.State.Transcript, cl.answered, cl.Width)
	}
}

// openValue opens a value in the locals: its variable where it is one of the
// frame's, else as an expression above them.
func (cl *CommandLine) openValue(at debugger.FrameRef, v debugger.Variable) {
	if !cl.Facts().Held() {
		cl.Say("info", "the program is not paused here any more")
		return
	}
	cl.Ctx.At = at
	cl.SetFocus(layout.Locals)
	if f, ok := cl.Ctx.Store.Frame(at); ok && slices.ContainsFunc(f.Variables(), func(l debugger.Variable) bool { return l.Name == v.Expr && !l.Shadowed }) {
		cl.Panes.Locals.Reveal(cl.Ctx, v.Expr)
		return
	}
	cl.Panes.Locals.Show(cl.Ctx, pane.Root{Expr: v.Expr, At: &at})
}

// Displayed keeps the displayed expressions in sight, above the variables.
func (cl *CommandLine) Displayed(list []session.Display) {
	var names []string
	for _, d := range list {
		name := fmt.Sprintf("%d: %s", d.ID, d.Expr)
		names = append(names, name)
		if !slices.Contains(cl.displays, name) {
			cl.Panes.Locals.Show(cl.Ctx, pane.Root{Name: name, Expr: d.Expr, Label: d.Expr, Kept: true})
		}
	}
	for _, was := range cl.displays {
		if !slices.Contains(names, was) {
			cl.Panes.Locals.Hide(was)
		}
	}
	cl.displays = names
}

// changes reports whether a command line may have changed the target's values.
func changes(input string) bool {
	input = strings.TrimSpace(input)
	if strings.HasPrefix(input, "set ") || strings.HasPrefix(input, "call ") {
		return true
	}
	rest := strings.NewReplacer("==", "", "!=", "", "<=", "", ">=", "").Replace(input)
	return strings.Contains(rest, "=")
}
