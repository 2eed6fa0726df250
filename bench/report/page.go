package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/web"
)

var (
	//go:embed page.tmpl
	pageSource string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("bench").Parse(pageSource))
)

// Bounds of what the page shows.
const (
	maxCells  = 400
	maxQuoted = 12 << 10 // bytes of a prompt, an answer, a diff
)

type pageView struct {
	Facts       []pageFact
	Problem     string
	Scores      []Score
	Rows        []pageRow
	Comparisons []pageComparison
	Classes     []pageClass
	Cells       []pageCell
	Left        int
}

type pageFact struct{ Name, Value string }

type pageShare struct{ Words, Interval, Heat string }

type pageRow struct {
	Name         string
	Shares       []pageShare
	Bar          template.HTML
	Tokens, Time string
	Took         string
}

type pageClass struct {
	Name   string
	Cases  int
	Shares []pageShare
}

type pageComparison struct{ A, B, Verdict, Tone, Words, Better, Worse string }

type pageCell struct {
	Name, Column, Word, Tone, Failed string
	Trial                            int
	Candidates                       []pageCandidate
	Questions                        []matrix.Question
}

type pageCandidate struct {
	Title, By, Effect, Tone, Wrong string
	Checks                         []pageCheck
	Diff                           []pageLine
}

type pageCheck struct{ Name, Status, Detail, Tone string }

type pageLine struct{ Tone, Text string }

// Page writes the run as one HTML file that needs nothing else: the matrix, what
// became of each open case down to prompts, answers and diffs, and comparisons.
func Page(w io.Writer, dir string, s *Summary, compared []Comparison, v View) error {
	p := &pageView{Facts: []pageFact{
		{"models and prompts", fmt.Sprint(len(s.Columns))}, {"cases", fmt.Sprint(len(s.Plan.Cases))}, {"trials", fmt.Sprint(s.Plan.Trials)},
		{"rounds", fmt.Sprint(s.Plan.Rounds)}, {"cells with a result", fmt.Sprintf("%d of %d", s.Done, s.Plan.Len())}, {"plan", s.Plan.ID()},
	}}
	if s.Done < s.Plan.Len() {
		p.Problem = "Cells without a result count as not right."
	}
	order := s.order(v)
	p.rows(s, v, order)
	p.classes(s, v, order)
	for _, c := range compared {
		p.Comparisons = append(p.Comparisons, shownComparison(c))
	}
	if err := p.cells(dir, s, v, order); err != nil {
		return err
	}
	var body strings.Builder
	if err := pageTemplate.Execute(&body, p); err != nil {
		return fmt.Errorf("make the page: %w", err)
	}
	return web.Document(w, "Benchmark", template.HTML(body.String()), pageStyle) //nolint:gosec // made by html/template
}

func (p *pageView) rows(s *Summary, v View, order []int) {
	p.Scores = v.scores()
	for _, i := range order {
		c := s.Columns[i]
		row := pageRow{Name: printable.Line(c.Name()), Tokens: tokens(c), Time: medianWords(c.answering), Took: s.Took(i, v)}
		if !v.Times {
			row.Time = "–"
		}
		for _, score := range p.Scores {
			share := s.Share(i, score, v.cases)
			row.Shares = append(row.Shares, newPageShare(share, score))
		}
		row.Bar = bar(s.Share(i, Scores[0], v.cases))
		p.Rows = append(p.Rows, row)
	}
}

func newPageShare(s Share, of Score) pageShare {
	words, interval, ok := strings.Cut(withInterval(s), " ")
	if ok && strings.HasSuffix(interval, "*") {
		words, interval = words+"*", strings.TrimSuffix(interval, "*")
	}
	return pageShare{words, interval, heatClass(s, of)}
}

// bar draws an interval on a line from 0 to 100.
func bar(s Share) template.HTML {
	if s.Unknown() {
		return "–"
	}
	return template.HTML(fmt.Sprintf(`<svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="%.0f to %.0f per cent">`+ //nolint:gosec // numbers
		`<rect class="all" x="0" y="4" width="100" height="2"/><rect class="span" x="%.1f" y="3" width="%.1f" height="4"/><rect class="at" x="%.1f" y="1" width="1.5" height="8"/></svg>`,
		s.Low, s.High, s.Low, s.High-s.Low, min(100*s.Rate(), 98.5)))
}

func heatClass(s Share, of Score) string {
	if s.Unknown() {
		return ""
	}
	good := s.Rate()
	if of.Bad {
		good = 1 - good
	}
	return fmt.Sprintf("h%d", min(int(7*good), 6))
}

func (p *pageView) classes(s *Summary, v View, order []int) {
	for _, class := range s.Plan.Classes() {
		row := pageClass{Name: class}
		for _, i := range order {
			share := s.Share(i, Scores[0], func(c matrix.Case) bool { return c.Class == class && v.cases(c) })
			row.Cases = share.Cases
			row.Shares = append(row.Shares, newPageShare(share, Scores[0]))
		}
		if row.Cases > 0 {
			p.Classes = append(p.Classes, row)
		}
	}
}

func shownComparison(c Comparison) pageComparison {
	out := pageComparison{A: printable.Line(c.A), B: printable.Line(c.B), Verdict: c.Verdict(), Tone: map[string]string{"better": "good", "worse": "bad"}[c.Verdict()]}
	out.Words = fmt.Sprintf("%.0f %% → %.0f %%, %+.0f points (95 %% interval %+.0f to %+.0f, by case), p = %s; %s of %s", 100*c.RateA, 100*c.RateB,
		c.Difference, c.Low, c.High, pWords(c.P), plural(c.Pairs, "pair"), plural(c.Cases, "case"))
	out.Better, out.Worse = strings.Join(c.Better, ", "), strings.Join(c.Worse, ", ")
	return out
}

// cells shows the details of open cases, in the order of the plan.
func (p *pageView) cells(dir string, s *Summary, v View, order []int) error {
	want := func(c matrix.Cell) bool {
		return s.Plan.Has(c) && slices.Contains(order, c.Column) && v.cases(s.Plan.Cases[c.Case]) && !s.Plan.Cases[c.Case].Closed
	}
	shown := map[int]matrix.Detail{}
	var places []int
	err := matrix.Details(dir, want, func(d matrix.Detail) error {
		at := s.Plan.Index(d.Cell)
		if _, ok := shown[at]; ok {
			return nil
		}
		shown[at] = d
		places = append(places, at)
		slices.Sort(places)
		if len(places) > maxCells {
			delete(shown, places[maxCells])
			places = places[:maxCells]
			p.Left++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, at := range places {
		c, err := shownCell(dir, s, shown[at])
		if err != nil {
			return err
		}
		p.Cells = append(p.Cells, c)
	}
	return nil
}

func shownCell(dir string, s *Summary, d matrix.Detail) (pageCell, error) {
	c := pageCell{Name: d.Name, Column: printable.Line(s.Columns[d.Column].Name()), Trial: d.Trial + 1, Failed: session.Clean(d.Failed)}
	var right bool
	c.Word, right = s.Outcome(d)
	c.Tone = map[bool]string{true: "good", false: "bad"}[right]
	if !s.Plan.Cases[d.Case].Fixable {
		c.Tone = ""
	}
	for _, k := range d.Candidates {
		c.Candidates = append(c.Candidates, shownCandidate(k))
	}
	questions, err := Questions(dir, d)
	for _, q := range questions {
		c.Questions = append(c.Questions, matrix.Question{Prompt: quoted(q.Prompt), Answer: quoted(q.Answer + q.Error)})
	}
	return c, err
}

// Questions are what a cell's model was asked and answered.
func Questions(dir string, d matrix.Detail) ([]matrix.Question, error) {
	var list []matrix.Question
	for _, key := range d.Answers {
		a, ok, err := matrix.AnswersOf(dir).Get(key)
		if err != nil {
			return list, err
		}
		if !ok {
			continue
		}
		var prompt strings.Builder
		for _, m := range a.Messages {
			fmt.Fprintf(&prompt, "=== %s ===\n%s\n", m.Role, m.Text)
		}
		list = append(list, matrix.Question{Prompt: prompt.String(), Answer: a.Answer.Text, Error: a.Err})
	}
	return list, nil
}

func quoted(text string) string {
	if len(text) > maxQuoted {
		text = strings.ToValidUTF8(text[:maxQuoted], "") + "\n…"
	}
	return session.Clean(text)
}

func shownCandidate(k matrix.Candidate) pageCandidate {
	out := pageCandidate{Title: printable.Line(k.Title), By: printable.Line(strings.Join(k.By, ", ")), Effect: k.Effect, Tone: "bad", Wrong: quoted(k.Wrong)}
	if k.Right {
		out.Tone = "good"
	}
	for _, check := range k.Checks {
		tone := map[string]string{"pass": "good", "fail": "bad", "warn": "warn"}[check.Status]
		out.Checks = append(out.Checks, pageCheck{check.Name, check.Status, quoted(check.Detail), tone})
	}
	for _, l := range strings.Split(strings.TrimSuffix(quoted(k.Diff), "\n"), "\n") {
		tone := map[byte]string{'+': "add", '-': "del", '@': "gap"}[(l + " ")[0]]
		out.Diff = append(out.Diff, pageLine{tone, l})
	}
	return out
}
