package dialog

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/theme"
)

// special are the keys that have names; all others are their own text.
var special = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"right": {Code: tea.KeyRight}, "pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+t": {Code: 't', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl},
}

// press hands keys to a dialog and returns what the last one led to.
func press(t *testing.T, d Dialog, keys ...string) Outcome {
	t.Helper()
	var out Outcome
	for i, k := range keys {
		msg, named := special[k]
		if !named {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		if out = d.Key(msg); out.Close && i < len(keys)-1 {
			t.Fatalf("%q closes the dialog before %q", k, keys[i+1:])
		}
	}
	return out
}

// typed hands a text to a dialog, a key for each letter.
func typed(t *testing.T, d Dialog, text string) {
	t.Helper()
	press(t, d, strings.Split(text, "")...)
}

// view is what a dialog shows, without colors.
func view(d Dialog, w, h int) string {
	return ansi.Strip(strings.Join(d.View(theme.Theme{}, w, h), "\n"))
}

func TestOnlyItsOwnKeysAnswerAQuestion(t *testing.T) {
	d := &Confirm{Head: "Quit?", Body: []string{"It is still there."}, Yes: "quits", Do: "yes", Else: "no", Key2: "K", Yes2: "kills it", Do2: "kill"}
	for key, want := range map[string]Outcome{
		"y": {true, "yes"}, "n": {true, "no"}, "esc": {true, "no"}, "ctrl+c": {true, "no"}, "K": {true, "kill"},
		"enter": {}, "Y": {}, "k": {}, "space": {},
	} {
		if got := press(t, d, key); got != want {
			t.Errorf("%s leads to %v, want %v", key, got, want)
		}
	}
	d.Key2 = ""
	if got := d.Key(tea.KeyPressMsg{}); got != (Outcome{}) {
		t.Errorf("a key without a name leads to %v", got)
	}
}

func TestAQuestionKeepsItsKeysInLittleRoom(t *testing.T) {
	d := &Confirm{Head: "Approve?", Body: []string{strings.Repeat("many words ", 60), "more"}, Yes: "applies it and restarts"}
	for _, h := range []int{3, 6, 20} {
		lines := strings.Split(view(d, 30, h), "\n")
		if len(lines) > h {
			t.Errorf("%d lines in a height of %d", len(lines), h)
		}
		if last := strings.Join(lines[max(len(lines)-2, 0):], " "); !strings.Contains(last, "y applies it") || !strings.Contains(last, "n goes back") {
			t.Errorf("height %d: the keys are not the last lines: %q", h, last)
		}
	}
}

func TestACompactQuestionLeavesTheScreenInSight(t *testing.T) {
	d := &Confirm{Head: "Approve?", Body: []string{strings.Repeat("many words ", 60), "more"}, Yes: "applies it", Compact: true}
	if got := strings.Count(view(d, 72, 12), "\n") + 1; got != 8 {
		t.Errorf("it takes %d of 12 lines", got)
	}
	if d.Compact = false; strings.Count(view(d, 72, 12), "\n")+1 != 12 {
		t.Error("and so does another one")
	}
}

// TestAQuestionIsReadWhole scrolls a reason that is longer than the dialog.
func TestAQuestionIsReadWhole(t *testing.T) {
	for _, compact := range []bool{true, false} {
		d := &Confirm{Head: "Approve?", Body: []string{strings.Repeat("many words ", 60) + "then the end"}, Yes: "applies it", Compact: compact}
		if got := view(d, 60, 10); strings.Contains(got, "the end") || strings.Contains(got, "…") || !strings.Contains(got, "j k scroll") {
			t.Errorf("at its beginning:\n%s", got)
		}
		for range 20 {
			press(t, d, "j")
		}
		if got := view(d, 60, 10); !strings.Contains(got, "the end") {
			t.Errorf("scrolled to its end:\n%s", got)
		}
	}
}

func TestAQuestionShowsNoControlCharacters(t *testing.T) {
	hostile := "delete \x1b]0;owned\x07 \x1b[2J everything\nnow"
	for _, d := range []Dialog{&Confirm{Body: []string{hostile}, Yes: "does"}, &Message{Lines: []string{hostile}}, &Text{Body: hostile}} {
		raw := strings.Join(d.View(theme.Theme{}, 60, 10), "")
		if strings.ContainsAny(ansi.Strip(raw), "\x1b\x07") || strings.Contains(raw, "\x1b]0") || strings.Contains(raw, "\x1b[2J") {
			t.Errorf("%T shows %q", d, raw)
		}
	}
}

func TestATextScrollsWithinItsLines(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, strings.Repeat("x", i+1))
	}
	d := &Text{Body: strings.Join(lines, "\n")}
	first := func() int { return len(strings.SplitN(view(d, 60, 12), "\n", 2)[0]) }
	for _, step := range []struct {
		key  string
		want int // the first line that is shown
	}{{"k", 1}, {"j", 2}, {"pgdown", 11}, {"G", 41}, {"j", 41}, {"g", 1}} {
		press(t, d, step.key)
		if got := first(); got != step.want {
			t.Errorf("after %s line %d is first, want %d", step.key, got, step.want)
		}
	}
	if !press(t, d, "esc").Close {
		t.Error("esc does not close it")
	}
}

func TestAnInputMakesSomethingOfItsLine(t *testing.T) {
	d := &Input{Enter: "sets it", Make: func(words string) any { return "made of " + words }}
	typed(t, d, "len(x)")
	if !strings.Contains(view(d, 40, 10), "› len(x)") {
		t.Errorf("the line is not shown:\n%s", view(d, 40, 10))
	}
	if got := press(t, d, "enter"); got != (Outcome{true, "made of len(x)"}) {
		t.Errorf("enter leads to %v", got)
	}
	if got := press(t, d, "esc"); got != (Outcome{Close: true}) {
		t.Errorf("esc leads to %v", got)
	}
}

func choices() *Choose {
	return &Choose{Recent: 1, Choices: []Choice{{Words: "restart", Key: "r", Do: 1}, {Words: "step over", Do: 2}, {Words: "step into", Why: "nothing runs", Do: 3}, {Words: "quit", Do: 4}}}
}

func TestAChoiceIsNarrowedDownByTyping(t *testing.T) {
	d := choices()
	typed(t, d, "step")
	text := view(d, 50, 12)
	if strings.Contains(text, "quit") || !strings.Contains(text, "step over") {
		t.Errorf("the list is not narrowed down:\n%s", text)
	}
	if got := press(t, d, "enter"); got != (Outcome{true, 2}) {
		t.Errorf("enter leads to %v", got)
	}
	if got := press(t, d, "down", "enter"); got != (Outcome{}) {
		t.Errorf("what cannot be done leads to %v", got)
	}
	if !strings.Contains(view(d, 50, 12), "nothing runs") {
		t.Error("the selected choice does not say why it cannot be done")
	}
	typed(t, d, "zzz")
	if got := press(t, d, "enter"); got != (Outcome{}) || !strings.Contains(view(d, 50, 12), "Nothing matches.") {
		t.Errorf("without a match enter leads to %v", got)
	}
}

func TestAClickChoosesTheRowItIsOn(t *testing.T) {
	d := choices()
	lines := strings.Split(view(d, 50, 12), "\n")
	y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "quit") })
	if got := d.Click(3, y); got != (Outcome{true, 4}) {
		t.Errorf("a click on quit leads to %v", got)
	}
	for _, y := range []int{-1, 0, 1, 40} {
		if got := d.Click(3, y); got != (Outcome{}) {
			t.Errorf("a click on row %d leads to %v", y, got)
		}
	}
}

func TestThemesAreTriedUntilOneIsTaken(t *testing.T) {
	before := Look{theme.Palettes()[0].Name, "auto"}
	second := theme.Palettes()[1].Name
	d := NewThemes(before, "")
	if got := press(t, d, "down"); got != (Outcome{Do: TryLook{Look{second, "auto"}}}) {
		t.Errorf("down leads to %v", got)
	}
	if got := press(t, d, "right"); got != (Outcome{Do: TryLook{Look{second, "dark"}}}) {
		t.Errorf("right leads to %v", got)
	}
	if got := press(t, d, "esc"); got != (Outcome{true, TryLook{before}}) {
		t.Errorf("esc leads to %v", got)
	}
	if got := press(t, d, "enter"); got != (Outcome{true, TakeLook{Look{second, "dark"}}}) {
		t.Errorf("enter leads to %v", got)
	}
}

func TestSeveralModelsRaceInTheirOrder(t *testing.T) {
	d := NewPick([]Asker{{Name: "small"}, {Name: "large", CanTry: true}, {Name: "remote", Remote: true}}, func(names []string) any { return strings.Join(names, "+") })
	if got := press(t, d, "enter"); got != (Outcome{true, "small"}) {
		t.Errorf("enter leads to %v", got)
	}
	press(t, d, "down", "down", "space", "up", "up", "space")
	if got := d.Title(); !strings.Contains(got, "2 selected") {
		t.Errorf("the title is %q", got)
	}
	if got := press(t, d, "enter"); got != (Outcome{true, "small+remote"}) {
		t.Errorf("enter leads to %v", got)
	}
	if got := press(t, d, "ctrl+r"); !reflect.DeepEqual(got.Do, Refresh{}) || got.Close {
		t.Errorf("ctrl+r leads to %v", got)
	}
	if got := press(t, d, "ctrl+t"); !reflect.DeepEqual(got.Do, Probe{"large"}) {
		t.Errorf("ctrl+t leads to %v", got)
	}
}

func TestThePickKeepsItsCursorWhenMoreIsKnown(t *testing.T) {
	d := NewPick([]Asker{{Name: "a"}, {Name: "b"}}, func(names []string) any { return names[0] })
	press(t, d, "down")
	d.Set([]Asker{{Name: "new"}, {Name: "a"}, {Name: "b"}})
	if got := press(t, d, "enter"); got != (Outcome{true, "b"}) {
		t.Errorf("enter leads to %v", got)
	}
}

func breakpoints() []BreakpointRow {
	row := func(id int, file string, line int) BreakpointRow {
		return BreakpointRow{Breakpoint: debugger.Breakpoint{ID: id, File: file, Line: line}, Sign: "●", Where: file}
	}
	return []BreakpointRow{row(1, "/w/a.go", 3), row(2, "/w/b.go", 7), row(3, "/w/c.go", 9)}
}

func TestABreakpointIsAmended(t *testing.T) {
	d := NewBreakpoints(breakpoints())
	d.Turn("/w/b.go", 7)
	if got := press(t, d, "x"); got.Close || !strings.Contains(view(d, 90, 20), "/w/b.go") {
		t.Errorf("x leads to %v", got)
	} else if clear, ok := got.Do.(intent.ClearBreakpoint); !ok || clear.ID != 2 {
		t.Errorf("x leads to %#v", got.Do)
	}
	press(t, d, "c")
	if _, _, typing := d.Cursor(90); !typing {
		t.Fatal("c does not ask for the condition")
	}
	typed(t, d, "i>3")
	got, ok := press(t, d, "enter").Do.(intent.AmendBreakpoint)
	if !ok || got.Breakpoint.ID != 2 || got.Breakpoint.Cond != "i>3" {
		t.Errorf("enter leads to %#v", got)
	}
	press(t, d, "c")
	typed(t, d, "i>4")
	if out := press(t, d, "esc"); out != (Outcome{}) {
		t.Errorf("esc leads to %v while a condition is typed", out)
	}
	if !press(t, d, "esc").Close {
		t.Error("esc does not close the list")
	}
}

func TestTheListOfBreakpointsKeepsItsCursor(t *testing.T) {
	d := NewBreakpoints(breakpoints())
	press(t, d, "down", "down")
	d.Set(breakpoints()[1:], 1)
	if under, ok := d.under(); !ok || under.ID != 3 {
		t.Errorf("the cursor is on %d", under.ID)
	}
	d.Set(nil, 1)
	if narrow := view(d, 60, 20); !strings.Contains(narrow, "on the\ncursor's line of source.") {
		t.Errorf("an empty list says\n%s", narrow)
	}
	if _, ok := d.under(); ok || !strings.Contains(view(d, 90, 20), "No breakpoints.") {
		t.Error("an empty list has a breakpoint under its cursor")
	}
}

func TestExpressionsAreSplitAtSemicolons(t *testing.T) {
	if got := Expressions(" a ; ;f(x, y);"); !slices.Equal(got, []string{"a", "f(x, y)"}) {
		t.Errorf("got %q", got)
	}
}

func TestTheFinderWaitsForWhatWasTyped(t *testing.T) {
	d := &Finder{Empty: "Nothing matches.", Here: "/w/a.go"}
	d.Show([]Row{{Name: "old", Place: navigate.Place{File: "/w/old.go", Line: 1}}}, "1", false)
	typed(t, d, "new")
	d.Await()
	if got := press(t, d, "enter"); got.Close {
		t.Fatalf("enter takes a row of what was typed before: %v", got)
	}
	d.Show([]Row{{Name: "newer", Place: navigate.Place{File: "/w/new.go", Line: 5}}}, "1", false)
	if at, ok := d.Entered(); !ok || at.File != "/w/new.go" {
		t.Errorf("the finder goes to %v", at)
	}
	if _, again := d.Entered(); again {
		t.Error("one enter counts twice")
	}
}

func TestTheFinderTakesALineOfItsOwnFile(t *testing.T) {
	d := &Finder{Here: "/w/a.go"}
	typed(t, d, ":12")
	if at, ok := d.Selected(); !ok || at.File != "/w/a.go" || at.Line != 12 {
		t.Errorf("got %v", at)
	}
}

// The list says all that a breakpoint prints.
func TestTheListSaysWhatIsPrinted(t *testing.T) {
	b := debugger.Breakpoint{Print: []string{"n"}, Args: true, Locals: true, Stack: 2, Goroutine: true}
	if got := conditions(b); got != "  prints n, args, locals, stack 2, goroutine" {
		t.Errorf("%q", got)
	}
}
