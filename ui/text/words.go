package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// Count writes a number with thousands separated: 912,331.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plural is "1 goroutine" or "12 goroutines".
func Plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}

// Duration writes a time span as people say it: 340 ms, 1.2 s, 42 s, 3 m 05 s.
func Duration(d time.Duration) string { return printable.Duration(d) }

// Ago says how long ago something was, in its largest unit.
func Ago(d time.Duration) string {
	switch {
	case d < 5*time.Second:
		return "just now"
	case d < time.Minute:
		return Plural(int64(d.Seconds()), "second") + " ago"
	case d < time.Hour:
		return Plural(int64(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return Plural(int64(d.Hours()), "hour") + " ago"
	}
	return Plural(int64(d.Hours())/24, "day") + " ago"
}

// Seconds writes a running time so that it keeps its width while it counts.
func Seconds(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Truncate(100*time.Millisecond).Seconds())
	}
	return Duration(d)
}

// Function shortens a function's name to what a reader of the program needs:
// "main.(*Index).Add" is "(*Index).Add", "example.com/a/b.Load.func1" is
// "b.Load.func1", "example.com/tea/v2.Run" is "tea.Run", "Pop[go.shape.int]" is "Pop[...]".
func Function(name string) string {
	return strings.TrimPrefix(debugger.ShortFunction(name), "main.")
}

// Base is the last element of a slash path.
func Base(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// Place is "index.go:42".
func Place(file string, line int) string {
	if file == "" {
		return ""
	}
	return Line(Base(file)) + ":" + strconv.Itoa(line)
}
