package ui

import (
	"cmp"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// A person who types into the target looks at its output, or at the keyboard, and goes on
// for a while when it stops. What they type then is no command: it is kept for the
// target until they leave, or pause.

// typedAhead is what was typed for a target that had stopped.
type typedAhead struct {
	until time.Time // keys are kept until then; zero: they are commands
	text  string
	drawn bool // the target drew a screen: keys mean something to that screen only
}

const (
	aheadPause = time.Second // without keys, they are commands again
	maxAhead   = 1 << 16     // bytes that are kept
)

// interruptTyping ends the typing, but not because the person said so.
func (ex *execution) interruptTyping() {
	_, drawn := ex.panes.output.Screen()
	ex.ahead.drawn = drawn
	ex.stopTyping()
	ex.said = notice{}
	ex.keepTyping()
}

// keepTyping has keys kept until there is a pause.
func (ex *execution) keepTyping() {
	ex.ahead.until = ex.ctx.Now.Add(cmp.Or(ex.opts.Deaf, aheadPause))
}

// typesAhead reports whether keys are for the target, which has stopped.
func (c *common) typesAhead() bool { return !c.ahead.until.IsZero() }

// settleTyping makes keys commands again after a pause.
func (ex *execution) settleTyping() {
	if ex.typesAhead() && !ex.ctx.Now.Before(ex.ahead.until) {
		ex.leaveTyping()
	}
}

func (ex *execution) leaveTyping() {
	ex.ahead.until = time.Time{}
	if n := utf8.RuneCountInString(ex.ahead.text); n > 0 && ex.said.text == "" {
		ex.say("info", text.Plural(int64(n), "character")+" kept for the program: "+ex.keys.Key(keymap.Type)+" types them into it")
		ex.said.until = ex.ctx.Now.Add(passing)
	}
}

// aheadKey keeps a key that was meant for the target; esc, or for one that draws the
// key that leaves its screen, makes the next ones commands.
func (ex *execution) aheadKey(k tea.KeyPressMsg) {
	key := k.String()
	if b, ok := ex.keys.Find(key); ok && b.Action == keymap.Release || key == "esc" && !ex.ahead.drawn {
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
		_, n := utf8.DecodeLastRuneInString(ex.ahead.text)
		ex.ahead.text = ex.ahead.text[:len(ex.ahead.text)-n]
	case key == "ctrl+u":
		ex.ahead.text = ""
	}
}

// aheadPaste keeps a paste that was meant for the target.
func (ex *execution) aheadPaste(s string) {
	ex.keepTyping()
	ex.keepAhead(s)
}

func (ex *execution) keepAhead(s string) {
	if len(ex.ahead.text)+len(s) <= maxAhead {
		ex.ahead.text += s
	}
}

// giveAhead types into the target what was kept for it.
func (ex *execution) giveAhead() {
	kept := ex.ahead.text
	ex.ahead = typedAhead{}
	if kept == "" {
		return
	}
	ex.engine.Do(engine.Type{Text: ex.pasted(kept)})
	ex.say("info", text.Plural(int64(utf8.RuneCountInString(kept)), "character")+" typed while the program was stopped: it has them now")
	ex.said.until = ex.ctx.Now.Add(passing)
}

// dropAhead forgets what was typed for a screen that is no more.
func (ex *execution) dropAhead() {
	if ex.ahead.drawn {
		ex.ahead.text = ""
	}
}

// aheadWords is the line that says where keys go. It counts what is kept and does not
// show it: the target may not have shown it either.
func (st *status) aheadWords(w int) []string {
	words := "the program stopped: your keys are kept for it"
	if n := utf8.RuneCountInString(st.ahead.text); n > 0 {
		words = "the program stopped: " + text.Plural(int64(n), "character") + " kept for it"
	}
	leave := "esc"
	if st.ahead.drawn {
		leave = st.keys.Key(keymap.Release)
	}
	left := " " + st.ctx.Theme.Warn.Render(words) + "  "
	rest := []keymap.Hint{{Key: leave, Words: "or a pause: commands"}}
	return []string{text.Cut(left+st.hintLine(rest, max(w-text.Width(left), 0)), w)}
}
