package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/pausetui/pausetui/session/index"
)

// maxDays bounds the columns of a chart.
const maxDays = 120

type figuresView struct {
	Head      string
	Days      *daysView
	Charts    []chartView
	Proposers []proposerView
	Facts     []fact
}

type daysView struct {
	From, To    string
	Most, Width int
	Columns     []columnView
}

// columnView is a day in a chart that is 60 high.
type columnView struct {
	Title                          string
	X                              int
	Y, Height, FixedY, FixedHeight float64
}

type chartView struct {
	Title string
	Bars  []barView
}

// barView is a bar; its widths are in per cent.
type barView struct {
	Name, Number      string
	Width, FixedWidth float64
}

type proposerView struct {
	Name                               string
	Proposed, Applied, Masking, Tokens int
	Verified, Fixed                    rateView
}

// rateView is a share and its interval, in per cent.
type rateView struct {
	Of            int
	Words         string
	Low, Span, At float64
}

func (s *server) stats(w http.ResponseWriter, r *http.Request) {
	s.one.Lock()
	defer s.one.Unlock()
	text, q, ok := s.query(w, r)
	if !ok {
		return
	}
	found, err := s.Index.Stats(r.Context(), q)
	if err != nil {
		s.problem(w, http.StatusInternalServerError, err)
		return
	}
	s.answer(w, http.StatusOK, page{Title: "Statistics", Query: text, Figures: viewFigures(found)})
}

func viewFigures(s index.Stats) *figuresView {
	v := &figuresView{Head: fmt.Sprintf("%d sessions; the green part ended fixed", s.Sessions), Days: viewDays(s.Days)}
	for _, c := range []struct {
		title  string
		counts []index.Count
		labels bool
	}{
		{"Outcomes", s.Outcomes, false}, {"Classes", s.Classes, false}, {"Kinds of fixes that pass their checks", s.Effects, false},
		{"Why iterations failed", s.Failures, false},
		{"Packages", s.Packages, false}, {"Functions", s.Functions, false}, {"Most frequent faults", s.Prints, true},
	} {
		if bars := viewBars(c.counts, c.labels); len(bars) > 0 {
			v.Charts = append(v.Charts, chartView{c.title, bars})
		}
	}
	for _, p := range s.Proposers {
		name := line(p.Name)
		if p.Prompt != "" {
			name += " · " + line(p.Prompt)
		}
		v.Proposers = append(v.Proposers, proposerView{name, p.Proposed, p.Applied, p.Masking, p.Tokens, viewRate(p.Verified), viewRate(p.Fixed)})
	}
	v.Facts = []fact{
		{"verified fixes applied", fmt.Sprint(s.Applied)}, {"of these, judged fixed", viewRate(s.Fixed).Words}, {"came back", viewRate(s.CameBack).Words},
		{"fixes that skip or hide", viewRate(s.Masking).Words}, {"fixes that decline", viewRate(s.Declining).Words},
		{"median to the stop", median(s.ToStop)}, {"from there to a verified fix", median(s.ToVerified)}, {"to a decision", median(s.ToDecision)},
		{"tokens", fmt.Sprintf("%d sent, %d received", s.TokensIn, s.TokensOut)}, {"cost", fmt.Sprintf("%.2f", s.Cost)},
	}
	return v
}

func median(seconds *float64) string {
	if seconds == nil {
		return "–"
	}
	return duration(time.Duration(*seconds * float64(time.Second)))
}

func viewDays(days []index.Day) *daysView {
	if len(days) == 0 {
		return nil
	}
	days = days[max(len(days)-maxDays, 0):]
	v := &daysView{From: days[0].Date, To: days[len(days)-1].Date, Width: 10 * max(len(days), 14)}
	for _, d := range days {
		v.Most = max(v.Most, d.Sessions)
	}
	for i, d := range days {
		height, fixed := 60*share(d.Sessions, v.Most), 60*share(d.Fixed, v.Most)
		v.Columns = append(v.Columns, columnView{fmt.Sprintf("%s: %d sessions, %d fixed", d.Date, d.Sessions, d.Fixed), 10*i + 1, 60 - height, height, 60 - fixed, fixed})
	}
	return v
}

// viewBars names the bars by the counts' labels or by their names.
func viewBars(counts []index.Count, labels bool) []barView {
	most := 0
	for _, c := range counts {
		most = max(most, c.N)
	}
	var bars []barView
	for _, c := range counts {
		name := line(c.Name)
		if labels {
			name = line(c.Label)
		}
		if name == "" || c.N == 0 {
			continue
		}
		number := fmt.Sprint(c.N)
		if c.Fixed > 0 {
			number += fmt.Sprintf(", %d fixed", c.Fixed)
		}
		bars = append(bars, barView{name, number, 100 * share(c.N, most), 100 * share(c.Fixed, most)})
	}
	return bars
}

func viewRate(r index.Rate) rateView {
	return rateView{r.Of, fmt.Sprintf("%d of %d, %.0f–%.0f %%", r.N, r.Of, r.Low, r.High), r.Low, r.High - r.Low, 98.5 * share(r.N, r.Of)}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
