package report

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
)

// exported is a cell as JSON Lines have it.
type exported struct {
	Model  string   `json:"model"`
	Prompt string   `json:"prompt,omitempty"`
	Case   string   `json:"case"`
	Class  string   `json:"class"`
	Holds  []string `json:"holds"` // flags
	matrix.Result
}

// JSONLines writes each cell of an open case as a line, in the order of the
// results.
func JSONLines(w io.Writer, dir string, v View) error {
	p, err := matrix.ReadPlan(dir)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	return scanInOrder(dir, p, func(r matrix.Result) error {
		of, c := p.Cases[r.Case], p.Columns[r.Column]
		if of.Closed || !v.cases(of) || v.Columns != nil && !v.Columns(c.Name()) {
			return nil
		}
		if !v.Times {
			r = withoutTimes(r)
		}
		return encoder.Encode(exported{c.Model, c.Prompt, of.Name, of.Class, r.Flags.Names(), r})
	})
}

// withoutTimes is a result without what depends on the machine.
func withoutTimes(r matrix.Result) matrix.Result {
	r.FirstToken, r.Answering, r.Verifying, r.Total, r.Overhead = 0, 0, 0, 0, 0
	return r
}

// scanInOrder reads results in the order of the plan, whatever order they are
// stored in. It holds all of them.
func scanInOrder(dir string, p matrix.Plan, each func(matrix.Result) error) error {
	list := make([]*matrix.Result, p.Len())
	err := matrix.Scan(dir, p, func(r matrix.Result) { list[p.Index(r.Cell)] = &r })
	if err != nil {
		return err
	}
	for _, r := range list {
		if r != nil {
			if err := each(*r); err != nil {
				return err
			}
		}
	}
	return nil
}

// CSV writes a row for each column and class, and one for all classes, with
// every score.
func CSV(w io.Writer, s *Summary, v View) error {
	out := csv.NewWriter(w)
	head := []string{"model", "prompt", "class", "cases", "cells", "without_result"}
	for _, score := range Scores {
		head = append(head, score.Key, score.Key+"_low", score.Key+"_high")
	}
	head = append(head, "pass_at_trials", "prompt_tokens", "tokens", "cost")
	for _, f := range took {
		head = append(head, f.key)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, i := range s.order(v) {
		for _, class := range append(s.Plan.Classes(), "") {
			of := func(c matrix.Case) bool { return (class == "" || c.Class == class) && v.cases(c) }
			if row := s.csvRow(i, class, of, v.Times); row != nil {
				if err := out.Write(row); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// csvRow is nil for no cases.
func (s *Summary) csvRow(i int, class string, of func(matrix.Case) bool, times bool) []string {
	c := s.Columns[i]
	all := s.Share(i, Scores[len(Scores)-1], of) // of every case
	if all.Cases == 0 {
		return nil
	}
	name := class
	if name == "" {
		name = "all"
	}
	row := []string{safe(c.Model), safe(c.Prompt), name, strconv.Itoa(all.Cases), strconv.Itoa(all.Of), strconv.Itoa(all.Open)}
	for _, score := range Scores {
		share := s.Share(i, score, of)
		if share.Unknown() {
			row = append(row, "", "", "")
			continue
		}
		row = append(row, number(share.Rate()), number(share.Low/100), number(share.High/100))
	}
	if class != "" {
		return append(row, make([]string, 4+len(took))...)
	}
	pass := ""
	if p := s.PassAtK(i, s.Plan.Trials, of); !math.IsNaN(p) && !all.Hidden {
		pass = number(p)
	}
	row = append(row, pass, strconv.FormatInt(c.PromptTokens, 10), strconv.FormatInt(c.Tokens, 10), number(float64(c.Cost)/1e6))
	return append(row, c.tookFields(times)...)
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }

// safe keeps a spreadsheet from taking a name for a formula.
func safe(name string) string {
	name = printable.Line(name)
	if strings.ContainsAny(name[:min(1, len(name))], "=+-@") {
		return "'" + name
	}
	return name
}

// Markdown writes the matrix as a table.
func Markdown(w io.Writer, s *Summary, v View) error {
	b := &strings.Builder{}
	keys := []string{"right", "right_first", "usable", "builds", "reruns", "verified", "misleads", "masks"}
	b.WriteString("| model | prompt |")
	for _, key := range keys {
		score, _ := FindScore(key)
		b.WriteString(" " + score.Title + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(keys)) + "\n")
	for _, i := range s.order(v) {
		fmt.Fprintf(b, "| %s | %s |", cell(s.Columns[i].Model), cell(s.Columns[i].Prompt))
		for _, key := range keys {
			score, _ := FindScore(key)
			share := s.Share(i, score, v.cases)
			if share.Unknown() {
				b.WriteString(" – |")
				continue
			}
			fmt.Fprintf(b, " %d of %d, %s |", share.N, share.Of, withInterval(share))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "\nShares in per cent with their 95 %% interval. *: under 10 cases. %d of %d cells have a result.\n", s.Done, s.Plan.Len())
	_, err := io.WriteString(w, b.String())
	return err
}

// cell is a text that does not end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(printable.Line(text), "|", `\|`) }

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// maxJUnit bounds the cells of a JUnit file: its readers hold all of it.
const maxJUnit = 100_000

// JUnit writes a suite for each column, with a test for each open case. A case
// fails where no trial is right; one without a result is an error, not a failure.
func JUnit(w io.Writer, s *Summary, v View) error {
	if s.Plan.Len() > maxJUnit {
		return fmt.Errorf("JUnit XML is for up to %d cells; this run has %d", maxJUnit, s.Plan.Len())
	}
	var all junitSuites
	at := bit(matrix.OwnRight)
	for _, i := range s.order(v) {
		suite := junitSuite{Name: printable.Line(s.Columns[i].Name())}
		for n, of := range s.Plan.Cases {
			if of.Closed || !of.Fixable || !v.cases(of) {
				continue
			}
			counts := s.Columns[i].Cases[n]
			t := junitCase{Name: of.Name, Class: of.Class}
			switch {
			case int(counts.Done) < s.Plan.Trials:
				t.Error = &junitMessage{fmt.Sprintf("%d of %d trials have no result", s.Plan.Trials-int(counts.Done), s.Plan.Trials)}
				suite.Errors++
			case counts.Flags[at] == 0:
				t.Failure = &junitMessage{fmt.Sprintf("right in 0 of %d trials", s.Plan.Trials)}
				suite.Failures++
			}
			suite.Cases = append(suite.Cases, t)
			suite.Tests++
		}
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", " ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
