package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Bounds of what a page shows.
const (
	maxStops      = 200
	maxCandidates = 50 // of a stop
	maxFrames     = 200
	maxValues     = 300 // of a frame
	maxEvents     = 5000
	maxText       = 64 << 10 // bytes
)

// sessionView is a session as the template shows it; all text in it is clean.
type sessionView struct {
	Name, Class, Message, Where string
	Outcome, Judgement, Tone    string
	Facts                       []fact
	Rates                       *ratesView
	Stops                       []stopView
	Events                      []eventView
	Left                        int // earlier events that are not shown
	Live                        string
	Note                        string // what is wrong with the journal
}

type fact struct{ Name, Value string }

type stopView struct {
	Number                             int
	Title, Message, Why, Where, Detail string
	Crashed                            bool
	History                            []historyView // of the bad value, the newest first
	Frames                             []frameView
	Hidden                             debugger.Hidden // frames that are not shown
	More                               bool
	Values                             []valuesView
	Candidates                         []candidateView
	Questions                          []questionView
}

type historyView struct {
	Place, Text, Value, Function, When string
	Origin                             bool
	Skipped                            int // earlier changes that are not kept
}

func viewHistory(h *evidence.History) (rows []historyView) {
	if h == nil {
		return nil
	}
	for i, r := range h.Rows[:min(len(h.Rows), maxFrames)] {
		row := historyView{Place: line(fmt.Sprintf("%s:%d", r.File, r.Line)), Text: line(r.Text), Value: line(r.Result()), Function: line(r.Function), When: line(r.When()), Origin: i == h.Origin, Skipped: r.Skipped}
		if h.Foreign(r) {
			row.Function += fmt.Sprintf(", goroutine %d", r.Goroutine)
		}
		rows = append(rows, row)
	}
	return rows
}

type frameView struct {
	Function, Place string
	Selected        bool
}

type valuesView struct {
	Of   string
	Open bool
	Rows []valueRow
	More bool
}

type valueRow struct {
	Depth             int
	Name, Type, Value string
}

type questionView struct{ Text, Source, Reply string }

// viewSession shows a session; now is zero for one that does not run.
func viewSession(name string, s session.State, events []session.Event, now time.Time) *sessionView {
	f := session.Summarize(s)
	v := &sessionView{
		Name: line(name), Class: line(f.Class), Message: text(firstMessage(s, f.Message)), Where: line(f.Culprit),
		Outcome: line(f.Outcome), Judgement: line(f.Judgement), Tone: judgedTone(f.Judgement),
	}
	v.Facts, v.Rates = facts(s, f), viewRates(s, events, now)
	for i, r := range s.Stops {
		if i >= maxStops {
			break
		}
		v.Stops = append(v.Stops, viewStop(s, i, r))
	}
	v.Left = max(len(events)-maxEvents, 0)
	for _, e := range events[v.Left:] {
		if row := viewEvent(e); row.Words != "" {
			v.Events = append(v.Events, row)
		}
	}
	return v
}

// firstMessage is the message of the first crash with its lines, or the one line.
func firstMessage(s session.State, or string) string {
	for _, r := range s.Stops {
		if r.Stop.Crashed() {
			return r.Stop.Panic.Message
		}
	}
	return or
}

func facts(s session.State, f session.FrontMatter) []fact {
	target := strings.Join(append([]string{f.Target}, f.Args...), " ")
	list := []fact{
		{"target", target}, {"started", s.Opened.Format("2 January 2006 15:04:05")}, {"lasted", duration(s.Lasted())},
		{"candidates", fmt.Sprintf("%d, %d verified", f.Candidates, f.Verified)}, {"applied", strings.Join(f.Applied, ", ")},
		{"models", strings.Join(f.Models, ", ")}, {"prompts", strings.Join(f.Prompts, ", ")},
		{"fingerprint", f.Fingerprint}, {"sandbox", s.Started.Sandbox}, {"Go", s.Started.Workspace.Go}, {"pausetui", f.Version},
	}
	for i := range list {
		list[i].Value = line(list[i].Value)
	}
	return slices.DeleteFunc(list, func(f fact) bool { return f.Value == "" })
}

func viewStop(s session.State, i int, r session.StopRecord) stopView {
	stop := r.Stop
	v := stopView{Number: i + 1, Crashed: stop.Crashed(), Title: line(stopTitle(stop)), Detail: line(stopDetail(r))}
	if stop.Crashed() {
		v.Message = text(stop.Panic.Message)
	}
	if r.Diagnosis != nil {
		v.Why = text(r.Diagnosis.Words())
		v.History = viewHistory(r.Diagnosis.History)
	}
	if f, ok := stop.SelectedFrame(); ok {
		v.Where = line(session.ShortFunction(f.Function)) + " " + place(s, f)
	}
	for j, f := range stop.Frames {
		switch {
		case f.Runtime:
			v.Hidden.Add(f)
		case len(v.Frames) >= maxFrames:
			v.More = true
		default:
			v.Frames = append(v.Frames, frameView{line(session.ShortFunction(f.Function)), place(s, f), j == stop.Selected})
		}
	}
	v.More = v.More || stop.MoreFrames
	v.Values = viewValues(r)
	for _, c := range r.Candidates[:min(len(r.Candidates), maxCandidates)] {
		v.Candidates = append(v.Candidates, viewCandidate(s, c))
	}
	for _, q := range s.Conversation(i) {
		v.Questions = append(v.Questions, viewQuestion(q))
	}
	return v
}

func stopTitle(stop debugger.Stop) string {
	switch {
	case stop.Crashed():
		return stop.Panic.Class.Words()
	case stop.Exit != nil && stop.Exit.Signal != "":
		return "killed by " + stop.Exit.Signal
	case stop.Exit != nil:
		return fmt.Sprintf("exited with %d", stop.Exit.Code)
	}
	return session.StopNote(stop)
}

func stopDetail(r session.StopRecord) string {
	detail := fmt.Sprintf("round %d", r.Round)
	if r.Ran > 0 {
		detail += ", after " + duration(r.Ran)
	}
	if r.Stop.Goroutine != 0 {
		detail += fmt.Sprintf(", goroutine %d", r.Stop.Goroutine)
	}
	if r.Stop.Panic != nil && r.Stop.Panic.Fingerprint != "" {
		detail += ", fingerprint " + r.Stop.Panic.Fingerprint
	}
	return detail
}

func place(s session.State, f debugger.Frame) string {
	return line(fmt.Sprintf("%s:%d", s.Started.Workspace.Rel(f.File), f.Line))
}

// viewValues are the values of the selected frame, then those of the others that
// were loaded.
func viewValues(r session.StopRecord) []valuesView {
	var list []valuesView
	add := func(f debugger.Frame, open bool) {
		if !f.Loaded || f.Runtime || len(list) >= maxFrames {
			return
		}
		v := valuesView{Of: line(session.ShortFunction(f.Function)), Open: open}
		for _, value := range f.Variables() {
			v.add(value, 0)
		}
		if len(v.Rows) > 0 {
			list = append(list, v)
		}
	}
	if r.Stop.Panic != nil && r.Stop.Panic.Value.Type != "" {
		v := valuesView{Of: "the panic"}
		v.add(r.Stop.Panic.Value, 0)
		list = append(list, v)
	}
	if f, ok := r.Stop.SelectedFrame(); ok {
		add(f, true)
	}
	for i, f := range r.Stop.Frames {
		if i != r.Stop.Selected {
			add(f, false)
		}
	}
	return list
}

func (v *valuesView) add(value debugger.Variable, depth int) {
	const deepest = 3
	if len(v.Rows) >= maxValues {
		v.More = true
		return
	}
	name := line(value.Name)
	if name == "" {
		name = "="
	}
	v.Rows = append(v.Rows, valueRow{depth, name, line(value.Type), session.Short(value, 400)})
	children := value.Children
	if len(children) == 1 && children[0].Name == "" && len(children[0].Children) > 0 { // what a pointer leads to
		children = children[0].Children
	}
	if depth < deepest {
		for _, c := range children {
			v.add(c, depth+1)
		}
	}
}

func viewQuestion(q session.QuestionRecord) questionView {
	v := questionView{Text: text(q.Text), Source: sourceName(q.Source)}
	if v.Text == "" {
		v.Text = "Explain this stop."
	}
	if q.Replied != nil {
		v.Reply = text(q.Replied.Text + q.Replied.Err)
	}
	return v
}

func judgedTone(judgement string) string {
	switch session.Judgement(judgement) {
	case session.Fixed:
		return "good"
	case session.CameBack:
		return "bad"
	case session.NotReached:
		return "warn"
	}
	return "quiet"
}

func checkTone(s verdict.Status) string {
	switch s {
	case verdict.Pass:
		return "good"
	case verdict.Fail:
		return "bad"
	case verdict.Warn, verdict.Inconclusive:
		return "warn"
	}
	return "quiet"
}

// line is text for a page in one line.
func line(s string) string { return cut(printable.Line(s)) }

// text is text for a page with its lines.
func text(s string) string { return strings.TrimRight(session.Clean(cut(s)), "\n") }

func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + " …"
}

// duration is one for a person.
func duration(d time.Duration) string { return printable.Duration(d) }
