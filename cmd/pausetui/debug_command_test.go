package main

import (
	"regexp"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// ledgerProgram holds values of many shapes.
const ledgerProgram = `package main

import (
	"fmt"
	"time"
)

type Entry struct {
	Name   string
	Amount int
	Tags   map[string]int
}

type Ledger struct {
	entries []Entry
	byName  map[string]*Entry
	opened  time.Time
}

func (l *Ledger) sum() int {
	total := 0
	for i := range l.entries { // mark: loop
		total += l.entries[i].Amount
	}
	return total
}

func main() {
	l := &Ledger{byName: map[string]*Entry{}, opened: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for i := range 3000 {
		l.entries = append(l.entries, Entry{Name: fmt.Sprintf("entry %d", i), Amount: i + 1, Tags: map[string]int{"n": i}})
	}
	for i := range l.entries {
		l.byName[l.entries[i].Name] = &l.entries[i]
	}
	fmt.Println(l.sum())
}
`

// ledger is a session that is held at the beginning of sum.
func ledger(t *testing.T) *terminal {
	t.Helper()
	dir := program(t, ledgerProgram)
	x := startTerminal(t, dir, 140, 44, nil, "debug", "--offline", "--break", "main.(*Ledger).sum", ".")
	x.wait("■ breakpoint 1")
	x.wait("l  *Ledger", "l  &")
	return x
}

// type types a text as one paste of keys.
func (x *terminal) line(text string) {
	x.t.Helper()
	for _, r := range text {
		x.keys(string(r))
	}
}

// The command line: answers, history, its search, completion, and long answers
// that scroll.
func TestDebugCommandLine(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := ledger(t)
	x.keys(":", ":") // twice is once
	x.line("p len(l.entries)")
	x.keys("\r")
	x.wait("= 3000")
	x.line("p l.byName[\"entry 7\"].Amount")
	x.keys("\r")
	x.wait("= 8")

	x.keys("\x1b[A", "\x1b[A") // up: the line before the last
	x.wait(": p len(l.entries)")
	x.keys("\x15")           // ctrl+u
	x.keys("\x12", "A", "m") // ctrl+r
	x.wait("history: Am")
	x.keys(escape)
	x.gone("history: Am")
	x.keys("\x15")

	x.line("p l.ent")
	x.keys("\t")
	x.wait("p l.entries")
	x.keys("\x15")
	x.line("disassem")
	x.keys("\t")
	x.wait(": disassemble")
	x.keys("\x15")

	x.line("funcs")
	x.keys("\r")
	x.waitMatch(regexp.MustCompile(`1–\d+ of [\d,]+ lines`))
	x.keys("\x1b[6~") // page down
	x.gone("1–")
	x.keys("\x13") // ctrl+s filters
	x.line("Ledger")
	x.keys("\r")
	x.wait("main.(*Ledger).sum")
	x.wait("with Ledger")
	x.keys(escape)
	x.leave()
}

// Values: a list in a struct is opened, searched and read to its end, shown in
// another base, copied; a step marks what it has changed.
func TestDebugValues(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := ledger(t)
	x.keys("n", "n") // into the loop
	x.wait("total  0")
	x.keys("3", "g", "l")
	x.wait("entries")
	x.waitMatch(regexp.MustCompile(`opened +2026-03-01 12:00:00`))
	x.keys("j", "l")
	x.wait("[0]")
	x.keys("/")
	x.line("entry 2999")
	x.keys("\r")
	x.wait("[2999]")
	x.keys(escape)
	x.keys("g", "j", "h", "h")
	x.gone("[2999]")

	x.keys("1", "n", "n")
	x.wait("Δ was 0")
	x.keys("3", "/")
	x.line("total")
	x.keys("\r")
	x.gone("▾ l")
	x.keys("v")
	x.wait("0x1")
	x.keys("y")
	x.wait("copied")
	x.keys(escape)
	x.leave()
}
