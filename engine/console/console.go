// Package console implements the command line: a table of commands, dlv's and ours, as
// data, with their completions and how they run.
//
// Each line of an answer says what enter does there: open a place, open a value, or run
// another command. Commands run one after another, in parallel with the engine's Run;
// those that move the target become intents, as keys do. The journal keeps a bounded part
// of a long answer; the rest stays in memory.
//
// Two commands run Starlark: source gives a script dlv's functions, so that scripts of
// dlv run unchanged, and script gives it the functions that models have. Some functions
// have the same name in both and different arguments (eval, locals, goroutines), so one
// command for both would break one of them.
//
// It acts through a Host, which the engine is, and answers in lines and values
// (session.Evaluated). It knows neither Delve nor the screen.
package console

import (
	"slices"
	"strings"
)

// Group is a heading of the help.
type Group string

// The groups, in the order of the help; all but the last are dlv's.
const (
	GroupRun        Group = "Running the program"
	GroupBreak      Group = "Breakpoints"
	GroupData       Group = "Variables and memory"
	GroupGoroutines Group = "Threads and goroutines"
	GroupStack      Group = "The stack"
	GroupOther      Group = "Code, symbols and the session"
	GroupOurs       Group = "Of pausetui"
)

// Groups lists the groups in the order of the help.
var Groups = []Group{GroupRun, GroupBreak, GroupData, GroupGoroutines, GroupStack, GroupOther, GroupOurs}

// Kind is what an argument completes to.
type Kind string

// The kinds.
const (
	Nothing    Kind = ""
	Expression Kind = "expression" // variables in scope, their fields, names of packages
	Location   Kind = "location"   // files and functions
	Function   Kind = "function"
	TypeName   Kind = "type"
	Package    Kind = "package"
	Variable   Kind = "variable" // of a package
	Source     Kind = "source"   // a file of the target
	Path       Kind = "path"     // a file of this machine
	Breakpoint Kind = "breakpoint"
	Goroutine  Kind = "goroutine"
	Line       Kind = "command" // a line of the command line
	Setting    Kind = "setting"
	Name       Kind = "name" // of a command
)

// Prefix is a command that carries another one out in its own way.
type Prefix int

// The prefixes.
const (
	On       Prefix = 1 << iota // at each hit of a breakpoint
	InDefer                     // in the scope of a deferred call
	Backward                    // backwards, of a recorded target
)

// Option is a word that begins with a dash.
type Option struct {
	Name  string // "-full"
	Takes Kind   // what follows it completes to
	Value string // what follows it, for the usage: "<n>"; empty takes nothing
	Words []string
	Help  string
}

// Command is a row of the table.
type Command struct {
	Name     string
	Aliases  []string
	Group    Group
	Usage    []string // without the name; none for a command that takes nothing
	Help     string   // a phrase
	More     string   // what else there is to know; may be empty
	Options  []Option
	Args     []Kind // what the arguments complete to; the last one goes on
	Prefixes Prefix // that it may follow
	Needs    bool   // arguments: alone, the word is an expression
	Moves    bool   // lets the target run
	Script   bool   // was made by a script of this session
	Run      func(*Call) error
}

// Names are the name and the aliases.
func (c Command) Names() []string { return append([]string{c.Name}, c.Aliases...) }

// Steps tells whether the command lets the target run on from where it is held, or
// may do so, as a file of commands.
func (c Command) Steps() bool {
	return slices.Contains([]string{"continue", "next", "step", "stepout", "step-instruction", "next-instruction", "source"}, c.Name)
}

// Table is the commands by their names.
type Table struct {
	rows   []Command
	byName map[string]int
}

// NewTable returns the table of all commands.
func NewTable() Table { return makeTable(slices.Concat(groups()...)) }

// groups are the commands, a file a group.
func groups() [][]Command {
	return [][]Command{runCommands(), recordCommands(), breakCommands(), dataCommands(), memoryCommands(), goroutineCommands(),
		stackCommands(), codeCommands(), symbolCommands(), sessionCommands(), ourCommands()}
}

func makeTable(rows []Command) Table {
	t := Table{rows: rows, byName: map[string]int{}}
	slices.SortStableFunc(t.rows, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	for i, c := range t.rows {
		for _, name := range c.Names() {
			t.byName[name] = i
		}
	}
	return t
}

// Commands returns all commands, sorted by name.
func (t Table) Commands() []Command { return t.rows }

// Find returns the command of a name or alias.
func (t Table) Find(name string) (Command, bool) {
	i, ok := t.byName[name]
	if !ok {
		return Command{}, false
	}
	return t.rows[i], true
}

// With returns a table that has the commands too; they replace those of the
// same name.
func (t Table) With(more ...Command) Table {
	rows := slices.DeleteFunc(slices.Clone(t.rows), func(c Command) bool {
		return slices.ContainsFunc(more, func(m Command) bool { return m.Name == c.Name })
	})
	return makeTable(append(rows, more...))
}

// Alias returns a table in which commands have further names.
func (t Table) Alias(aliases map[string][]string) Table {
	rows := slices.Clone(t.rows)
	for i := range rows {
		if more := aliases[rows[i].Name]; len(more) > 0 {
			rows[i].Aliases = append(slices.Clone(rows[i].Aliases), more...)
		}
	}
	return makeTable(rows)
}
