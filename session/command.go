package session

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// plainWord matches what a shell takes as it is.
var plainWord = lazyregexp.New(`^[-\w./:=@%+,]+$`)

// shellWord quotes a text for a shell, where it has to be.
func shellWord(text string) string {
	if text = Clean(text); plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Arguments are those of the program, quoted as a shell wants them.
func (b *Started) Arguments() string {
	words := make([]string, len(b.Args))
	for i, arg := range b.Args {
		words[i] = shellWord(arg)
	}
	return strings.Join(words, " ")
}

// fixed is how fix was started.
func (b *Started) fixed() string {
	switch {
	case b.Mode.Kind == ModeTrace:
		return "fix " + b.Mode.trace().words("--trace ")
	case b.Test:
		return "fix --test"
	}
	return "fix"
}

// words names the trace as arguments of a command, some of which want a flag before its file.
func (t Trace) words(flag string) string {
	text := flag + shellWord(cmp.Or(t.File, "-"))
	if t.Of > 1 {
		text = fmt.Sprintf("--nth %d %s", t.Number, text)
	}
	return text
}

// command is how a session was started, as a line for a shell.
func command(b *Started) string {
	verb := "debug"
	if b.Test {
		verb = "test"
	}
	switch {
	case b.Fix:
		verb = b.fixed()
	case !b.Mode.Builds():
		verb = b.Mode.command()
	}
	text := "pausetui " + verb
	if b.Repro != "" {
		text += " --repro " + shellWord(b.Repro)
	}
	if b.Mode.Builds() {
		text += " " + shellWord(b.Package)
	}
	if len(b.Args) > 0 {
		text += " -- " + b.Arguments()
	}
	if b.Stdin != "" {
		text += " < " + shellWord(b.Stdin)
	}
	return Clean(text)
}
