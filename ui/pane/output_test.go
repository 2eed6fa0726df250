package pane

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/theme"
)

// long returns a pane of 10 cells by 6 rows over 20 rows of 25 cells.
func long(t *testing.T) *Output {
	t.Helper()
	b := output.New(0, nil)
	for i := range 20 {
		fmt.Fprintf(b, "%02d%s\n", i, strings.Repeat(".", 23))
	}
	p := NewOutput()
	p.Resize(10, 6)
	p.Sync(&Context{Output: b, Theme: theme.New(true, colorprofile.NoTTY)})
	return p
}

// heads are the rows that are seen whole.
func heads(p *Output) string {
	var out []string
	for _, l := range p.View(false) {
		if !strings.HasPrefix(l, ".") {
			out = append(out, l[:2])
		}
	}
	return strings.Join(out, " ")
}

func TestLongRowsOfOutputAreWrapped(t *testing.T) {
	p := long(t)
	want := "18........ .......... ..... 19........ .......... ....."
	if got := strings.Join(p.View(false), " "); got != want {
		t.Errorf("the end shows\n%s, want\n%s", got, want)
	}
	p.SetFilter("19")
	if got := strings.Join(p.View(false), " "); got != want[len(want)/2+1:] {
		t.Errorf("the filter shows\n%s", got)
	}
}

func TestEveryWrappedRowOfOutputIsReached(t *testing.T) {
	for _, c := range []struct {
		name      string
		from, key keymap.Action
		steps     []string
	}{
		{"up", keymap.Bottom, keymap.Up, []string{"17 18", "16 17", "15 16"}},
		{"down", keymap.Top, keymap.Down, []string{"01 02", "02 03", "03 04"}},
		{"page up", keymap.Bottom, keymap.PageUp, []string{"17 18", "16 17"}},
		{"page down", keymap.Top, keymap.PageDown, []string{"01 02", "02 03"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := long(t)
			p.Key(c.from)
			for _, want := range c.steps {
				p.Key(c.key)
				if got := heads(p); got != want {
					t.Fatalf("shows %q, want %q", got, want)
				}
			}
		})
	}
}

func TestARowOfOutputLongerThanThePaneIsCut(t *testing.T) {
	b := output.New(0, nil)
	fmt.Fprintln(b, strings.Repeat("x", 5000))
	fmt.Fprintln(b, "end")
	p := NewOutput()
	p.Resize(10, 3)
	p.Sync(&Context{Output: b, Theme: theme.New(true, colorprofile.NoTTY)})
	p.Key(keymap.Up)
	if got := strings.Join(p.View(false), " "); got != "xxxxxxxxxx xxxxxxxxxx xxxxxxxxx…" {
		t.Errorf("shows %q", got)
	}
	p.Key(keymap.Down)
	if got := p.View(false); got[len(got)-1] != "end" {
		t.Errorf("shows %q", got)
	}
}

// TestAScreenIsSeenWhereItIsDrawn: a pane that is smaller than the target's screen.
func TestAScreenIsSeenWhereItIsDrawn(t *testing.T) {
	const alternate, hide = "\x1b[?1049h\x1b[2J", "\x1b[?25l"
	for _, c := range []struct{ name, draws, want string }{
		{"from its top, with the cursor there", "\x1b[1;1Hone\x1b[2;1Htwo\x1b[12;1Hend\x1b[1;2H", "one two "},
		{"at the bottom, with the cursor there", "\x1b[10;1Happles\x1b[11;1Hpears\x1b[12;1H> ", "apples pears >"},
		{"at the bottom, without a cursor", hide + "\x1b[11;1Hpears\x1b[12;1H2/2\x1b[1;1H", " pears 2/2"},
		{"all over, without a cursor", hide + "\x1b[1;1Hone\x1b[12;1Hend\x1b[12;1H", "one  "},
	} {
		b := output.New(0, nil)
		b.Emulate(20, 12, func(string) {})
		fmt.Fprint(b, alternate+c.draws)
		p := NewOutput()
		p.Resize(20, 3)
		p.Sync(&Context{Output: b, Theme: theme.New(true, colorprofile.NoTTY)})
		if got := strings.Join(p.View(false), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		b.End()
	}
}
