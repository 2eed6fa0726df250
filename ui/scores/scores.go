// Package scores is the screen of a benchmark run: scores by model, prompt and class, the
// cases of a score, and the prompts, answers, diffs and checks of a case.
//
// Update and View do no I/O: details are read by a command, whose answer is
// dropped when another case is shown meanwhile. What a model wrote is cleaned
// before it is drawn. The package knows no files and does no statistics: a Run
// does, and has the say on what of closed cases may be shown.
package scores

import (
	"context"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/theme"
)

// Run is the run that is shown. Matrix and Cases count what is in memory; Details
// reads files.
type Run interface {
	// Matrix sorts models by a score, the best first. The filter's words choose
	// models; class:GLOB chooses classes.
	Matrix(score, filter string) Matrix
	// Cases lists the cases of a model that may be shown one by one, in order. The
	// filter's words choose cases.
	Cases(column int, filter string) Cases
	// Details are the trials of a case that have a result.
	Details(ctx context.Context, column, number int) ([]Detail, error)
}

// Matrix is the run, added up.
type Matrix struct {
	Title   string // how much was measured
	Notes   []string
	Scores  []Score // the one that is sorted by first
	Rows    []Row
	Classes []Class
}

// Score is a column of the matrix.
type Score struct{ Key, Title, Says string }

// Figure is a share. Interval goes with each ranking; Good is from 0 to 1, and
// negative for a figure without a judgment.
type Figure struct {
	Words, Interval string
	Good            float64
}

// Row is a model with a prompt.
type Row struct {
	Column  int // its number in the run
	Name    string
	About   string
	Figures []Figure // by score
}

// Class is a class of faults, with a figure for each row of the matrix.
type Class struct {
	Name    string
	Cases   int
	Figures []Figure
}

// Cases are what became of the cases of one model.
type Cases struct {
	Scores []Score
	List   []Case
	Hidden string // about those that are not listed
}

// Case is a line of them.
type Case struct {
	Number      int
	Name, Class string
	Figures     []Figure // by score
}

// Detail is what became of one trial.
type Detail struct {
	Trial      int
	Word       string // right, not right
	Good       bool
	Failed     string
	Candidates []Candidate
	Questions  []Question
}

// Candidate is a proposed fix, judged.
type Candidate struct {
	Title, By, Effect, Wrong string
	Right                    bool
	Checks                   []Check
	Edits                    []patch.Edit
	Diff                     string // the same, for git apply
}

// Check is one check of a candidate; Status is pass, warn, fail, or another word.
type Check struct{ Name, Status, Detail string }

// Question is a request to a model with its answer, or what went wrong.
type Question struct{ Prompt, Answer, Error string }

// Options are what the screen needs.
type Options struct {
	Run    Run
	Name   string // of the run, for the title
	Score  string // key of the score that is sorted by
	Filter string // to begin with
	Keys   map[string]string
	Theme  theme.Choice // Dark and Profile are asked of the terminal where they are not set
	Dark   *bool
	// Again reads a run that is under way again. It returns nil where nothing is new,
	// and whether there may be more. Nil for a run that is complete.
	Again  func(context.Context) (run Run, more bool, err error)
	Input  io.Reader
	Output io.Writer
}

// Show shows the run until the person leaves or ctx ends.
func Show(ctx context.Context, o Options) error {
	keys, err := keymap.New(o.Keys)
	if err != nil {
		return fmt.Errorf("key table: %w", err)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	options := []tea.ProgramOption{tea.WithoutSignalHandler()}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	program := tea.NewProgram(newModel(inner, o, keys), options...)
	stop := context.AfterFunc(ctx, program.Quit)
	_, err = program.Run()
	stop()
	if err != nil {
		return fmt.Errorf("show the run: %w", err)
	}
	return context.Cause(ctx)
}

// view is what fills the screen.
type view int

const (
	matrixView view = iota
	casesView
	cellView
	helpView
)

// list is a cursor in rows that scroll.
type list struct{ at, top int }

// move moves the cursor by n in so many entries.
func (l *list) move(n, entries int) { l.at = min(max(l.at+n, 0), max(entries-1, 0)) }

// keep scrolls so that the cursor is in sight in so many rows.
func (l *list) keep(rows int) {
	rows = max(rows, 1)
	l.top = max(min(l.top, l.at), l.at-rows+1, 0)
}

// model is the program.
type model struct {
	ctx           context.Context
	o             Options
	keys          keymap.Table
	theme         theme.Theme
	choiceOfTheme theme.Choice
	width, height int
	view, under   view // under is where help goes back to
	note          string
	typing        bool

	filter    prompt.Line
	score     string
	matrix    Matrix
	inClasses bool // the cursor is in the table of classes
	rows      list
	classes   list
	column    int // of the cursor in both tables: a score, or a row of the matrix
	byColumn  int // the row of the matrix that classes are sorted by; -1 for their names

	shown  shown
	cell   cell
	scroll int
	split  bool
	stop   context.CancelFunc // of what is being read
}

// shown is the row whose cases are shown.
type shown struct {
	row    Row
	filter prompt.Line
	cases  Cases
	order  caseOrder
	lines  list // in the cases
}

func newModel(ctx context.Context, o Options, keys keymap.Table) *model {
	m := &model{ctx: ctx, o: o, keys: keys, score: o.Score, choiceOfTheme: o.Theme.Begin(o.Dark), byColumn: -1, stop: func() {}}
	m.setTheme()
	m.filter.Set(o.Filter)
	m.count()
	return m
}

func (m *model) setTheme() {
	m.theme = theme.Make(m.choiceOfTheme)
	m.cell.width = 0
}

// Init asks for the terminal's background, and follows a run that is under way.
func (m *model) Init() tea.Cmd {
	if m.o.Dark != nil {
		return m.readAgain()
	}
	return tea.Batch(tea.RequestBackgroundColor, m.readAgain())
}

// Update takes a key, a size, or an answer.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.choiceOfTheme.Dark, m.choiceOfTheme.Unsure = msg.IsDark(), false
		m.setTheme()
	case tea.ColorProfileMsg:
		m.choiceOfTheme.Profile = msg.Profile
		m.setTheme()
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.typing {
			m.line().Insert(msg.Content)
			m.count()
		}
	case tea.MouseWheelMsg:
		m.move(map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: 3}[msg.Button])
	case grown:
		return m, m.grow(msg)
	case details:
		if msg.column == m.shown.row.Column && msg.number == m.cell.of.Number {
			m.cell.list, m.cell.problem, m.cell.reading, m.cell.width = msg.list, msg.problem, false, 0
		}
	}
	return m, nil
}

// count adds up again what is shown.
func (m *model) count() {
	if m.view == casesView {
		m.countCases()
		return
	}
	m.countMatrix()
}

func (m *model) countCases() {
	m.shown.cases = m.o.Run.Cases(m.shown.row.Column, m.shown.filter.Text())
	m.shown.order.sort(m.shown.cases.List)
	m.shown.lines.move(0, len(m.shown.cases.List))
}

func (m *model) countMatrix() {
	m.matrix = m.o.Run.Matrix(m.score, m.filter.Text())
	m.sortClasses()
	m.rows.move(0, len(m.matrix.Rows))
	m.classes.move(0, len(m.matrix.Classes))
	m.column = min(m.column, max(m.columns()-1, 0))
}

// columns is how many columns the table of the cursor has.
func (m *model) columns() int {
	if m.inClasses {
		return len(m.matrix.Rows)
	}
	return len(m.matrix.Scores)
}
