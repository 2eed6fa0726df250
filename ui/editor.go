package ui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// editor has candidates, source and prompts edited in the person's editor.
type editor struct {
	*common.Common
	review *review
}

// editing is one visit to the person's editor.
type editing struct {
	candidate string // empty when the source itself, or a prompt, is edited
	prompt    bool
	file      string // of the candidate, relative to the root
	dir       string // temporary, removed afterwards; empty when the source itself is edited
	path      string // what the editor opens
	line      int
	before    string
}

type (
	// editReadyMsg: the file to be edited is there.
	editReadyMsg struct {
		editing
		err error
	}
	// editDoneMsg: the editor has ended.
	editDoneMsg struct {
		editing
		err error
	}
	// editedMsg: this is what the editor left.
	editedMsg struct {
		editing
		after string
		err   error
	}
)

// notFound says why there is no editor: neither $EDITOR nor $VISUAL, git's editor or
// vi is there, or this is the screen of a guest, whose editor is elsewhere.
func (ed *editor) notFound() string {
	if ed.Opts.Remote != nil {
		return "Guests cannot edit here: tell the host what to change with :note."
	}
	return "No editor was found."
}

// edit opens the candidate in the editor, or the source where a build failed.
func (ed *editor) edit() tea.Cmd {
	if ed.Opts.Editor == "" {
		ed.noEditor(ed.notFound())
		return nil
	}
	if d, ok := ed.Panes.Broken.Selected(); ok && ed.Screen() == layout.Broken {
		return ed.runEditor(editReadyMsg{editing: editing{path: d.File, line: d.Line}})
	}
	r, ok := ed.Ctx.State.Candidate(ed.Ctx.Candidate)
	if !ok {
		return nil
	}
	e, ok := ed.review.hunkEdit(r)
	if !ok {
		return nil
	}
	job := editing{candidate: r.ID, file: e.File, before: e.After, line: firstChange(e)}
	return func() tea.Msg { return prepareEdit(job) }
}

// lineToEdit is the line that the cursor is on: in the source that of its cursor,
// elsewhere that of the selected frame.
func (ed *editor) lineToEdit() (file string, line int, ok bool) {
	if frame, known := ed.Ctx.Store.Frame(ed.Ctx.At); ed.Focus != layout.Source && known && frame.File != "" {
		return frame.File, frame.Line, true
	}
	return ed.Panes.Source.Line()
}

// editLine opens the line that the cursor is on.
func (ed *editor) editLine() tea.Cmd {
	file, line, ok := ed.lineToEdit()
	switch {
	case ed.Opts.Editor == "":
		ed.noEditor(ed.notFound())
		return nil
	case !ok:
		ed.Say("info", "there is no line of source here")
		return nil
	}
	return ed.runEditor(editReadyMsg{editing: editing{path: file, line: line}})
}

// editPrompt opens the text of a prompt in the editor; the preview takes it back.
func (ed *editor) editPrompt(p dialog.EditPrompt) tea.Cmd {
	if ed.Opts.Editor == "" {
		ed.Say("warn", strings.TrimSuffix(ed.notFound(), ".")+": nothing was edited")
		return nil
	}
	job := editing{prompt: true, file: "prompt.md", before: p.Text}
	return func() tea.Msg { return prepareEdit(job) }
}

// prepareEdit writes what is edited to a temporary directory, under its own
// name so that the editor knows the language.
func prepareEdit(job editing) editReadyMsg {
	dir, err := os.MkdirTemp("", scratch.Pattern("edit"))
	if err != nil {
		return editReadyMsg{job, err}
	}
	job.dir, job.path = dir, filepath.Join(dir, text.Base(job.file))
	return editReadyMsg{job, os.WriteFile(job.path, []byte(job.before), 0o600)}
}

// runEditor hands the terminal to the editor.
func (ed *editor) runEditor(msg editReadyMsg) tea.Cmd {
	if msg.err != nil {
		ed.noEditor("The file for the editor could not be written: " + msg.err.Error())
		return nil
	}
	words := strings.Fields(ed.Opts.Editor)
	args := append(words[1:len(words):len(words)], editorArgs(words[0], msg.path, msg.line)...)
	// The editor needs the terminal and its foreground, so it is no supervised
	// background process; it ends with the terminal.
	cmd := exec.CommandContext(ed.Base, words[0], args...)
	return tea.Exec(&onTerminal{Cmd: cmd}, func(err error) tea.Msg { return editDoneMsg{msg.editing, err} })
}

// onTerminal is a command that has the terminal to itself.
type onTerminal struct {
	*exec.Cmd
	lend func() (back func()) // gives it the terminal's former modes; nil where it has them
}

// Run takes the time of a handover at least.
func (c *onTerminal) Run() error {
	ended := time.After(handoverTime)
	if c.lend != nil {
		defer c.lend()()
	}
	err := c.Cmd.Run()
	<-ended
	return err
}

// SetStdin gives the command what it reads: the terminal itself, if it is one.
func (c *onTerminal) SetStdin(r io.Reader) {
	if c.Stdin = r; file(r) != nil {
		c.Stdin = file(r)
	}
	if t, ok := r.(interface{ Lend() (back func()) }); ok {
		c.lend = t.Lend
	}
}

// SetStdout gives the command where it writes.
func (c *onTerminal) SetStdout(w io.Writer) {
	if c.Stdout = w; file(w) != nil {
		c.Stdout = file(w)
	}
}

// SetStderr gives the command where it complains.
func (c *onTerminal) SetStderr(w io.Writer) { c.Stderr = w }

// giveBack gives the terminal the modes back that it had before the screen.
func giveBack(input any) {
	if t, ok := input.(interface{ Restore() }); ok {
		t.Restore()
	}
}

// file is the terminal that is the screen's input or output; nil for none.
func file(stream any) *os.File {
	if t, ok := stream.(interface{ Terminal() *os.File }); ok {
		return t.Terminal()
	}
	return nil
}

// handoverTime is how long another program has the terminal at least. Bubble Tea
// 2.0.9 starts its renderer again with the ticker of the one that is ending: if
// that one comes to stop the ticker last, as after a command that fails at once,
// nothing is ever drawn again.
const handoverTime = 100 * time.Millisecond

// editorArgs opens a file at a line, the way the editor takes it.
func editorArgs(editor, path string, line int) []string {
	if line <= 0 {
		return []string{path}
	}
	switch strings.TrimSuffix(filepath.Base(editor), ".exe") {
	case "vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "pico":
		return []string{"+" + strconv.Itoa(line), path}
	case "code", "codium", "cursor", "windsurf":
		return []string{"--wait", "--goto", path + ":" + strconv.Itoa(line)}
	case "hx", "helix", "zed", "subl":
		return []string{path + ":" + strconv.Itoa(line)}
	}
	return []string{path}
}

// collectEdit reads what the editor left.
func (ed *editor) collectEdit(msg editDoneMsg) tea.Cmd {
	return func() tea.Msg {
		out := editedMsg{editing: msg.editing, err: msg.err}
		if msg.dir == "" {
			return out
		}
		defer func() { _ = os.RemoveAll(msg.dir) }() // what is left in the temporary directory does no harm
		if out.err == nil {
			data, err := os.ReadFile(msg.path)
			out.after, out.err = string(data), err
		}
		return out
	}
}

// edited makes a candidate of what the editor left.
func (ed *editor) edited(msg editedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		ed.noEditor(fmt.Sprintf("The editor %q failed: %v.", ed.Opts.Editor, msg.err))
	case msg.prompt && msg.after != msg.before:
		if d, ok := ed.Dialog.(*dialog.Preview); ok {
			d.Edited(msg.after)
		}
	case msg.prompt:
		ed.Say("info", "nothing was changed in the editor")
	case msg.candidate == "":
		ed.Ctx.Store.Reread()
		words := " builds again"
		if ed.Facts().Held() {
			words = " builds and runs to this stop again, with the same input"
		}
		ed.Say("info", ed.Keys.Key("restart")+words)
	case msg.after == msg.before:
		ed.Say("info", "nothing was changed in the editor")
	default:
		ed.revise(msg)
	}
	return nil
}

func (ed *editor) revise(msg editedMsg) {
	r, ok := ed.Ctx.State.Candidate(msg.candidate)
	if !ok {
		return
	}
	files := map[string]string{}
	for _, e := range r.Edits {
		files[e.File] = e.After
	}
	files[msg.file] = msg.after
	ed.review.follow = msg.candidate
	ed.Engine.Do(engine.Revise{Candidate: msg.candidate, Files: files})
	ed.Say("info", "your edit is a fix of its own, in the list")
}

// noEditor says that nothing could be edited, and what to do about it.
func (ed *editor) noEditor(what string) {
	lines := []string{what, "Nothing was changed."}
	if ed.Opts.Remote == nil {
		lines = append(lines, "Set $EDITOR (for instance EDITOR=vi) and start again, or use x to reject with a reason.")
	}
	ed.PopUp(&dialog.Message{Head: "Nothing was edited", Lines: lines})
}
