package output

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/printable"
)

// emulated is a buffer with a terminal of 20×5 cells, and what it has answered.
func emulated(t *testing.T) (b *Buffer, answers func() string) {
	t.Helper()
	var mu sync.Mutex
	var said strings.Builder
	b = New(0, nil)
	b.Emulate(20, 5, func(s string) {
		mu.Lock()
		defer mu.Unlock()
		said.WriteString(s)
	})
	t.Cleanup(b.End)
	return b, func() string {
		b.End() // after the last answer
		mu.Lock()
		defer mu.Unlock()
		return said.String()
	}
}

func write(t *testing.T, b *Buffer, text string) {
	t.Helper()
	if _, err := b.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func shownLines(t *testing.T, b *Buffer) []string {
	t.Helper()
	s, ok := b.Screen()
	if !ok {
		t.Fatal("nothing is drawn")
	}
	var out []string
	for _, l := range s.Lines {
		out = append(out, ansi.Strip(l))
	}
	return out
}

func TestTheAlternateScreenIsEmulated(t *testing.T) {
	b, _ := emulated(t)
	write(t, b, "before\n\x1b[?10") // a sequence in two writes
	write(t, b, "49h\x1b[2;3Hhe\x1b[1;31mll\x1b[mo\x1b[?25l")
	if got, want := shownLines(t, b), []string{"", "  hello", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("shown is %q, want %q", got, want)
	}
	s, _ := b.Screen()
	if s.Lines[1] != "  he\x1b[1;31mll\x1b[mo" || s.Cursor || !s.Alternate || s.X != 7 || s.Y != 1 {
		t.Errorf("the screen is %+v", s)
	}
	if rows := b.View(0, 10).Rows; !slices.Equal(rows, []string{"before"}) {
		t.Errorf("the rows are %q", rows)
	}
	write(t, b, "\x1b[?1049lafter\n")
	if _, drawn := b.Screen(); drawn {
		t.Error("the alternate screen is still shown")
	}
	if rows := b.View(0, 10).Rows; !slices.Equal(rows, []string{"before", "after"}) {
		t.Errorf("the rows are %q", rows)
	}
}

func TestLinesThatAreWrittenOverAreEmulated(t *testing.T) {
	b, _ := emulated(t)
	write(t, b, "\x1b[Jone\r\ntwo\r\n\x1b[2Aone again")
	if got := shownLines(t, b); got[0] != "one again" || got[1] != "two" {
		t.Errorf("shown is %q", got)
	}
}

func TestColorsAloneDrawNoScreen(t *testing.T) {
	b, answers := emulated(t)
	write(t, b, "\x1b[31mred\x1b[m\r\n50 %\r100 %\x1b[K\n\x1b]0;title\a")
	if s, drawn := b.Screen(); drawn {
		t.Errorf("a screen is drawn: %+v", s)
	}
	if got := answers(); got != "" {
		t.Errorf("answered %q", got)
	}
	if rows := b.View(0, 10).Rows; rows[0] != "\x1b[31mred\x1b[m" {
		t.Errorf("the rows are %q", rows)
	}
}

// A program may ask before it draws.
func TestQuestionsToTheTerminalAreAnswered(t *testing.T) {
	b, answers := emulated(t)
	write(t, b, "\x1b[c\x1b[6n\x1b]11;?\a")
	if _, drawn := b.Screen(); drawn {
		t.Error("a question draws nothing")
	}
	got := answers()
	for _, want := range []string{"\x1b[?", "\x1b[1;1R", "\x1b]11;"} {
		if !strings.Contains(got, want) {
			t.Errorf("answered %q, without %q", got, want)
		}
	}
}

func TestTheSizeIsBounded(t *testing.T) {
	b, _ := emulated(t)
	write(t, b, "\x1b[?1049hx")
	b.Resize(100_000, 100_000)
	if s, _ := b.Screen(); s.Cols != MaxCols || s.Rows != MaxRows || len(s.Lines) != MaxRows || s.Lines[0] != "x" {
		t.Errorf("%d×%d, %d lines", s.Cols, s.Rows, len(s.Lines))
	}
	b.Resize(-1, 0)
	if s, _ := b.Screen(); s.Cols != 1 || s.Rows != 1 {
		t.Errorf("%d×%d", s.Cols, s.Rows)
	}
}

// A program that dies on the alternate screen leaves its trace, or what was seen.
func TestWhatRemainsOfTheAlternateScreen(t *testing.T) {
	for printed, want := range map[string]string{
		"\x1b[Hmenu\r\npanic: boom\n\ngoroutine 1 [running]:\nmain.main()\n": "panic: boom||goroutine 1 [running]:|main.main()",
		"\x1b[2;3Hmenu": "|  menu",
	} {
		b, _ := emulated(t)
		write(t, b, "\x1b[?1049h"+printed)
		b.End()
		if got := strings.Join(b.View(0, 10).Rows, "|"); got != want {
			t.Errorf("%q leaves %q, want %q", printed, got, want)
		}
	}
}

// Of lines that a program has written over, what could be seen in the end remains, and
// the trace of a panic as it was printed.
func TestWhatRemainsOfLinesThatAreWrittenOver(t *testing.T) {
	const menu = "Choose:\r\n> a\r\n  b\r\n"
	trace := "panic: boom, in a line that is longer than the screen\r\n\r\ngoroutine 1 [running]:\r\nmain.main()\r\n"
	for printed, want := range map[string]string{
		"log\r\n" + menu + "\x1b[3A" + "Choose:\r\n  a\r\n> b\r\n":             "log|Choose:|  a|> b",
		menu + "\x1b[3A\x1b[Jb\r\n":                                            "b",
		menu + "\x1b[3A\x1b[Jb":                                                "b",
		"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n\x1b[1A\x1b[2Kseven\r\n8\r\n9\r\n": "1|2|3|4|5|6|seven|8|9",
		menu + "\x1b[3A\x1b[J> b\r\n" + trace:                                  "> b|panic: boom, in a line that is longer than the screen||goroutine 1 [running]:|main.main()",
		"\x1b[6n" + menu + "\x1b[2A\x1b[K  a\r\n> b":                           "Choose:|  a|> b",
	} {
		b, _ := emulated(t)
		write(t, b, printed)
		b.End()
		v := b.View(0, 20)
		if got := strings.Join(v.Rows, "|"); got != want || v.Lines != int64(len(v.Rows)) {
			t.Errorf("%q leaves %q in %d lines, want %q", printed, got, v.Lines, want)
		}
	}
}

// Of a program that has printed more than is kept, nothing is lost.
func TestManyLinesStayAsTheyWerePrinted(t *testing.T) {
	b, _ := emulated(t)
	write(t, b, "\x1b[H"+strings.Repeat("row\r\n", 3*scrollback))
	b.End()
	if v := b.View(-1, 1); v.Total != 3*scrollback {
		t.Errorf("%d rows", v.Total)
	}
}

// Whatever a program prints: no sequence but styles leaves the screen, each line
// has its width, and nothing fails or takes long.
func TestHostileScreens(t *testing.T) {
	pieces := []string{"\x1b[?1049h", "\x1b[?1049l", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\a", "\x1b]52;c;aGk=\a", "\x1bP1;2q", "\x1b[999999999b",
		"\x1b[9999b", "\x1b[9999I", "\x1b[9999;9999H", "\x1b[5;2r", "\x1b[2;4s", "\x1b[?69h", "\x1b[9999L", "\x1b[9999M", "\x1b[9999@", "\x1b[9999P", "\x1b[S", "\x1b[T",
		"日本語", "e\u0301\u202e\u200b", "👩‍👩‍👧", "\x9b31m", "\xe6\x97", "\x00\x07\x08\x7f\t\r\n", "\x1b7", "\x1b8", "\x1bc", "\x1b(0lqk\x1b(B", "\x1b[38;2;1;2;3;5;8m", "\x1b[m",
		"\x1b[?2048h", "\x1b[2J", "\x1b[6n", "\x1bM", "\x1bD", "abc def ghi", "\x1b_" + strings.Repeat("x", 5000), "\x1b\\", "\x1b["}
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		b, _ := emulated(t)
		for range 300 {
			write(t, b, pieces[random.IntN(len(pieces))])
			if random.IntN(20) == 0 {
				b.Resize(1+random.IntN(40), 1+random.IntN(10))
			}
		}
		write(t, b, "\a\x1b[?1049h\x1b[?6l\x1b[r\x1b[Hend")
		s, ok := b.Screen()
		if !ok {
			t.Fatalf("seed %d: the emulator has failed", seed)
		}
		for _, l := range s.Lines {
			if printable.Screen(l) != l || ansi.StringWidth(l) > s.Cols {
				t.Fatalf("seed %d: the line %q of %d cells", seed, l, s.Cols)
			}
		}
	}
}

func TestDraws(t *testing.T) {
	for printed, want := range map[string]bool{
		"":                          false,
		"words: 2\n":                false,
		"\x1b[1mwords\x1b[m: 2\r\n": false,
		"\rdone 1\rdone 2\x1b[K\n":  false,
		"\x1b[?25l\x1b[?1049hmenu":  true,
		"\x1b[3;7Hmenu":             true,
		"first\nsecond\x1b[1Aagain": true,
	} {
		if got := Draws([]byte(printed)); got != want {
			t.Errorf("%q: %v", printed, got)
		}
	}
}

// TestSequencesThatAreCostly: a few bytes have the emulator work for milliseconds. What a
// program prints holds neither a proof up nor who looks at the screen meanwhile.
func TestSequencesThatAreCostly(t *testing.T) {
	b := New(0, nil)
	b.Emulate(120, 40, func(string) {})
	defer b.End()
	began := time.Now()
	for _, seq := range []string{"\x1b[9999b", "\x1b[9999;1b", "\x1b[9999I", "\x1b[9999Z"} {
		write(t, b, "\x1b[?1049hx"+strings.Repeat(seq, 32<<10/len(seq)))
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("128 KB took %v", took)
	}
	large := New(0, nil)
	large.Emulate(MaxCols, MaxRows, func(string) {})
	defer large.End()
	written := make(chan struct{})
	go func() {
		defer close(written)
		write(t, large, "\x1b[?1049h"+strings.Repeat("\x1b[2J\x1b[99M", 200))
	}()
	most := time.Duration(0)
	for going := true; going; {
		select {
		case <-written:
			going = false
		case <-time.After(10 * time.Millisecond):
			asked := time.Now()
			large.Draws()
			most = max(most, time.Since(asked))
		}
	}
	if most > 30*time.Second {
		t.Errorf("who looked waited for %v", most)
	}
}

// TestRepeatedCharacters: what programs repeat stays.
func TestRepeatedCharacters(t *testing.T) {
	b, _ := emulated(t)
	write(t, b, "\x1b[?1049h\x1b[Hab\x1b[3b\x1b[2;1Hc\x1b[b\x1b[3;1Hd\x1b[9999b")
	s, ok := b.Screen()
	if want := []string{"abbbb", "cc", strings.Repeat("d", 20), "d", ""}; !ok || !slices.Equal(s.Lines, want) {
		t.Errorf("%q, want %q", s.Lines, want)
	}
}
