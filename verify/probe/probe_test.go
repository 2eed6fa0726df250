package probe

import (
	"go/format"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/instrument"
)

const program = `package main

import "fmt"

type box[T any] struct{ items []T }

func (b *box[T]) get(i int) T {
	fmt.Println("get", i)
	if i < 0 {
		return b.items[0]
	}
	x := b.items[i]
	fmt.Println("got")
	return x
}

func main() {
	run := func(n int) {
		for i := range n {
			fmt.Println(100 / (i - 1))
			fmt.Println("next")
		}
		fmt.Println("done")
	}
	run(3)
}
`

func TestFind(t *testing.T) {
	s, err := Find(program, 12)
	if err != nil || s.Receiver != "box" || s.Name != "get" || s.Literal != 0 || s.Faulting != "x := b.items[i]" ||
		!slices.Equal(s.Following, []string{`fmt.Println("got")`, "return x"}) {
		t.Errorf("site %+v, %v", s, err)
	}
	s, err = Find(program, 20)
	if err != nil || s.Name != "main" || s.Literal != 1 || s.Faulting != "fmt.Println(100 / (i - 1))" ||
		!slices.Equal(slices.Sorted(slices.Values(s.Following)), []string{`fmt.Println("done")`, `fmt.Println("next")`}) {
		t.Errorf("site %+v, %v", s, err)
	}
	for _, line := range []int{1, 5, 1000} {
		if _, err := Find(program, line); err == nil {
			t.Errorf("line %d has a site", line)
		}
	}
	if _, err := Find("not go", 1); err == nil {
		t.Error("no error")
	}
}

func TestInstrumentKeepsLines(t *testing.T) {
	for _, line := range []int{8, 10, 12, 14, 18, 20, 21, 23, 25} {
		s, err := Find(program, line)
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		files, err := Instrument(program, "/src/box.go", s, instrument.Goal{Entered: 3, Past: 1}, 12345)
		got := files["/src/box.go"]
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		if strings.Count(got, "\n") != strings.Count(program, "\n") || strings.Count(got, "pausetuiProbeEnter()") != 1 {
			t.Errorf("line %d:\n%s", line, got)
		}
		for name, text := range files {
			if _, err := format.Source([]byte(text)); err != nil || len(files) != 2 {
				t.Errorf("line %d, %s of %d: %v\n%s", line, name, len(files), err, text)
			}
		}
	}
	s, _ := Find(program, 12)
	if _, err := Instrument(strings.ReplaceAll(program, "get(", "fetch("), "/src/box.go", s, instrument.Goal{}, 1); err == nil {
		t.Error("a function that is gone has no probe")
	}
}

func TestTheGoalIsInTheCounters(t *testing.T) {
	s, err := Find(program, 12)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Instrument(program, "/src/box.go", s, instrument.Goal{Entered: 3, Past: 1}, 12345)
	text := files["/src/"+instrument.First]
	if err != nil || !strings.HasPrefix(text, "package main\n") || strings.Contains(text, "$") || !strings.Contains(text, "pausetuiSyscall.Close(3)") ||
		!strings.Contains(text, "call > 3 || call == 3 && past > 1") || !strings.Contains(text, "12345") ||
		!strings.Contains(text, `frame.Line >= 7 && frame.Line <= 15 && pausetuiStrings.HasSuffix(frame.File, "/box.go")`) {
		t.Errorf("%v\n%s", err, text)
	}
}
