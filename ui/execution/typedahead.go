package execution

import (
	"cmp"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// A person who types into the target looks at its output, or at the keyboard, and goes on
// for a while when it stops. What they type then is no command: it is kept for the
// target until they leave, or pause.

const (
	AheadPause = time.Second // without keys, they are commands again
	maxAhead   = 1 << 16     // bytes that are kept
)

// interruptTyping ends the typing, but not because the person said so.
func (ex *Execution) interruptTyping() {
	_, drawn := ex.Panes.Output.Screen()
	ex.Ahead.Drawn = drawn
	ex.stopTyping()
	ex.Said = common.Notice{}
	ex.keepTyping()
}

// keepTyping has keys kept until there is a pause.
func (ex *Execution) keepTyping() {
	ex.Ahead.Until = ex.Ctx.Now.Add(cmp.Or(ex.Opts.Deaf, AheadPause))
}

// SettleTyping makes keys commands again after a pause.
func (ex *Execution) SettleTyping() {
	if ex.TypesAhead() && !ex.Ctx.Now.Before(ex.Ahead.Until) {
		ex.leaveTyping()
	}
}

func (ex *Execution) leaveTyping() {
	ex.Ahead.Until = time.Time{}
	if n := utf8.RuneCountInString(ex.Ahead.Text); n > 0 && ex.Said.Text == "" {
		ex.Say("info", text.Plural(int64(n), "character")+" kept for the program: "+ex.Keys.Key(keymap.Type)+" types them into it")
		ex.Said.Until = ex.Ctx.Now.Add(common.Passing)
	}
}

// AheadKey keeps a key that was meant for the target; esc, or for one that draws the
// key that leaves its screen, makes the next ones commands.
func (ex *Execution) AheadKey(k tea.KeyPressMsg) {
	key := k.String()
	if b, ok := ex.Keys.Find(key); ok && b.Action == keymap.Release || key == "esc" && !ex.Ahead.Drawn {
		ex.leaveTyping()
		return
	}
	ex.keepTyping()
	switch {
	case k.Text != "":
		ex.keepAhead(k.Text)
	case key == "enter" || key == "tab":
		ex.keepAhead(terminalKeys[key])
	case key == "backspace":
		_, n := utf8.DecodeLastRuneInString(ex.Ahead.Text)
		ex.Ahead.Text = ex.Ahead.Text[:len(ex.Ahead.Text)-n]
	case key == "ctrl+u":
		ex.Ahead.Text = ""
	}
}

// AheadPaste keeps a paste that was meant for the target.
func (ex *Execution) AheadPaste(s string) {
	ex.keepTyping()
	ex.keepAhead(s)
}

func (ex *Execution) keepAhead(s string) {
	if len(ex.Ahead.Text)+len(s) <= maxAhead {
		ex.Ahead.Text += s
	}
}

// giveAhead types into the target what was kept for it.
func (ex *Execution) giveAhead() {
	kept := ex.Ahead.Text
	ex.Ahead = common.TypedAhead{}
	if kept == "" {
		return
	}
	ex.Engine.Do(intent.Type{Text: ex.pasted(kept)})
	ex.Say("info", text.Plural(int64(utf8.RuneCountInString(kept)), "character")+" typed while the program was stopped: it has them now")
	ex.Said.Until = ex.Ctx.Now.Add(common.Passing)
}

// dropAhead forgets what was typed for a screen that is no more.
func (ex *Execution) dropAhead() {
	if ex.Ahead.Drawn {
		ex.Ahead.Text = ""
	}
}
