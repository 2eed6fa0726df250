// Package editor hands the terminal to the person's editor, or to the browser of past
// sessions, and takes back what was edited.
package editor

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

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/review"
	"github.com/pausetui/pausetui/ui/text"
)

// Editor has candidates, source and prompts edited in the person's editor.
type Editor struct {
	*common.Common
	Review *review.Review
}

// Editing is one visit to the person's editor.
type Editing struct {
	Candidate string // empty when the source itself, or a prompt, is edited
	prompt    bool
	File      string // of the candidate, relative to the root
	Dir       string // temporary, removed afterwards; empty when the source itself is edited
	Path      string // what the editor opens
	Line      int
	Before    string
}

type (
	// EditReadyMsg: the file to be edited is there.
	EditReadyMsg struct {
		Editing
		Err error
	}
	// EditDoneMsg: the editor has ended.
	EditDoneMsg struct {
		Editing
		Err error
	}
	// EditedMsg: this is what the editor left.
	EditedMsg struct {
		Editing
		after string
		Err   error
	}
)

// NotFound says why there is no editor: neither $EDITOR nor $VISUAL, git's editor or
// vi is there, or this is the screen of a guest, whose editor is elsewhere.
func (ed *Editor) NotFound() string {
	if ed.Opts.Remote != nil {
		return "Guests cannot edit here: tell the host what to change with :note."
	}
	return "No editor was found."
}

// Edit opens the candidate in the editor, or the source where a build failed.
func (ed *Editor) Edit() tea.Cmd {
	if ed.Opts.Editor == "" {
		ed.NoEditor(ed.NotFound())
		return nil
	}
	if d, ok := ed.Panes.Broken.Selected(); ok && ed.Screen() == layout.Broken {
		return ed.RunEditor(EditReadyMsg{Editing: Editing{Path: d.File, Line: d.Line}})
	}
	r, ok := ed.Ctx.State.Candidate(ed.Ctx.Candidate)
	if !ok {
		return nil
	}
	e, ok := ed.Review.HunkEdit(r)
	if !ok {
		return nil
	}
	job := Editing{Candidate: r.ID, File: e.File, Before: e.After, Line: review.FirstChange(e)}
	return func() tea.Msg { return PrepareEdit(job) }
}

// LineToEdit is the line that the cursor is on: in the source that of its cursor,
// elsewhere that of the selected frame.
func (ed *Editor) LineToEdit() (file string, line int, ok bool) {
	if frame, known := ed.Ctx.Store.Frame(ed.Ctx.At); ed.Focus != layout.Source && known && frame.File != "" {
		return frame.File, frame.Line, true
	}
	return ed.Panes.Source.Line()
}

// EditLine opens the line that the cursor is on.
func (ed *Editor) EditLine() tea.Cmd {
	file, line, ok := ed.LineToEdit()
	switch {
	case ed.Opts.Editor == "":
		ed.NoEditor(ed.NotFound())
		return nil
	case !ok:
		ed.Say("info", "there is no line of source here")
		return nil
	}
	return ed.RunEditor(EditReadyMsg{Editing: Editing{Path: file, Line: line}})
}

// EditPrompt opens the text of a prompt in the editor; the preview takes it back.
func (ed *Editor) EditPrompt(p dialog.EditPrompt) tea.Cmd {
	if ed.Opts.Editor == "" {
		ed.Say("warn", strings.TrimSuffix(ed.NotFound(), ".")+": nothing was edited")
		return nil
	}
	job := Editing{prompt: true, File: "prompt.md", Before: p.Text}
	return func() tea.Msg { return PrepareEdit(job) }
}

// PrepareEdit writes what is edited to a temporary directory, under its own
// name so that the editor knows the language.
func PrepareEdit(job Editing) EditReadyMsg {
	dir, err := os.MkdirTemp("", scratch.Pattern("edit"))
	if err != nil {
		return EditReadyMsg{job, err}
	}
	job.Dir, job.Path = dir, filepath.Join(dir, text.Base(job.File))
	return EditReadyMsg{job, os.WriteFile(job.Path, []byte(job.Before), 0o600)}
}

// RunEditor hands the terminal to the editor.
func (ed *Editor) RunEditor(msg EditReadyMsg) tea.Cmd {
	if msg.Err != nil {
		ed.NoEditor("The file for the editor could not be written: " + msg.Err.Error())
		return nil
	}
	words := strings.Fields(ed.Opts.Editor)
	args := append(words[1:len(words):len(words)], editorArgs(words[0], msg.Path, msg.Line)...)
	// The editor needs the terminal and its foreground, so it is no supervised
	// background process; it ends with the terminal.
	cmd := exec.CommandContext(ed.Base, words[0], args...)
	return tea.Exec(&onTerminal{Cmd: cmd}, func(err error) tea.Msg { return EditDoneMsg{msg.Editing, err} })
}

// onTerminal is a command that has the terminal to itself.
type onTerminal struct {
	*exec.Cmd
	lend func() (back func()) // gives it the terminal's former modes; nil where it has them
}

// Run takes the time of a handover at least.
func (c *onTerminal) Run() error {
	ended := time.After(HandoverTime)
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

// GiveBack gives the terminal the modes back that it had before the screen.
func GiveBack(input any) {
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

// HandoverTime is how long another program has the terminal at least. Bubble Tea
// 2.0.9 starts its renderer again with the ticker of the one that is ending: if
// that one comes to stop the ticker last, as after a command that fails at once,
// nothing is ever drawn again.
const HandoverTime = 100 * time.Millisecond

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

// CollectEdit reads what the editor left.
func (ed *Editor) CollectEdit(msg EditDoneMsg) tea.Cmd {
	return func() tea.Msg {
		out := EditedMsg{Editing: msg.Editing, Err: msg.Err}
		if msg.Dir == "" {
			return out
		}
		defer func() { _ = os.RemoveAll(msg.Dir) }() // what is left in the temporary directory does no harm
		if out.Err == nil {
			data, err := os.ReadFile(msg.Path)
			out.after, out.Err = string(data), err
		}
		return out
	}
}

// Edited makes a candidate of what the editor left.
func (ed *Editor) Edited(msg EditedMsg) tea.Cmd {
	switch {
	case msg.Err != nil:
		ed.NoEditor(fmt.Sprintf("The editor %q failed: %v.", ed.Opts.Editor, msg.Err))
	case msg.prompt && msg.after != msg.Before:
		if d, ok := ed.Dialog.(*dialog.Preview); ok {
			d.Edited(msg.after)
		}
	case msg.prompt:
		ed.Say("info", "nothing was changed in the editor")
	case msg.Candidate == "":
		ed.Ctx.Store.Reread()
		words := " builds again"
		if ed.Facts().Held() {
			words = " builds and runs to this stop again, with the same input"
		}
		ed.Say("info", ed.Keys.Key("restart")+words)
	case msg.after == msg.Before:
		ed.Say("info", "nothing was changed in the editor")
	default:
		ed.revise(msg)
	}
	return nil
}

func (ed *Editor) revise(msg EditedMsg) {
	r, ok := ed.Ctx.State.Candidate(msg.Candidate)
	if !ok {
		return
	}
	files := map[string]string{}
	for _, e := range r.Edits {
		files[e.File] = e.After
	}
	files[msg.File] = msg.after
	ed.Review.Follow = msg.Candidate
	ed.Engine.Do(intent.Revise{Candidate: msg.Candidate, Files: files})
	ed.Say("info", "your edit is a fix of its own, in the list")
}

// NoEditor says that nothing could be edited, and what to do about it.
func (ed *Editor) NoEditor(what string) {
	lines := []string{what, "Nothing was changed."}
	if ed.Opts.Remote == nil {
		lines = append(lines, "Set $EDITOR (for instance EDITOR=vi) and start again, or use x to reject with a reason.")
	}
	ed.PopUp(&dialog.Message{Head: "Nothing was edited", Lines: lines})
}
