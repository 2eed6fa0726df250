package index

import (
	"strconv"
	"strings"
	"time"
)

// facts are what the statistics need of a session, as one text in its row: reading
// one column of ten thousand rows takes a fraction of what joining tables does.
// Lines hold fields: the first is the session's, each other a candidate's or a
// request's.
type facts string

const (
	fieldEnd = "\x1f"
	lineEnd  = "\x1e"

	fixedMark = "+" // after a class of which a crash was fixed
)

// One bit for each yes of a candidate.
const (
	isPassing = 1 << iota
	isVerified
	isMasking
	isApplied
)

var noEnds = strings.NewReplacer(fieldEnd, " ", lineEnd, " ")

type factsWriter struct{ strings.Builder }

func (w *factsWriter) line(fields ...string) {
	if w.Len() > 0 {
		w.WriteString(lineEnd)
	}
	for i, f := range fields {
		if i > 0 {
			w.WriteString(fieldEnd)
		}
		_, _ = noEnds.WriteString(w, f) // which cannot fail
	}
}

// facts are those of a record.
func (r *record) facts() facts {
	var w factsWriter
	var classes []string
	for _, c := range r.crashes {
		if c.fixed {
			c.class += fixedMark
		}
		classes = append(classes, c.class)
	}
	w.line(r.Outcome, strings.Join(classes, " "), r.Package, r.Function, r.File, r.Fingerprint, r.Judgement, secondsText(r.toStop), secondsText(r.toVerified), secondsText(r.toDecision))
	for _, c := range r.proposals {
		bits := bit(c.passes, isPassing) | bit(c.verified, isVerified) | bit(c.masking, isMasking) | bit(c.applied, isApplied)
		w.line("c", c.provider, c.model, c.prompt, c.effect, strconv.Itoa(bits), c.judgement, string(c.failed))
	}
	for _, q := range r.requests {
		w.line("r", q.provider, q.model, q.prompt, strconv.Itoa(q.in), strconv.Itoa(q.out), strconv.FormatFloat(q.cost, 'g', -1, 64), string(q.failed))
	}
	return facts(w.String())
}

func bit(is bool, b int) int {
	if is {
		return b
	}
	return 0
}

// secondsText is a duration as facts have it; empty for one that never came.
func secondsText(d time.Duration) string {
	if d < 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'g', -1, 64)
}

// fields cuts the next line off, into as many fields as there are places for. It
// reports whether there was one with that many.
func (f *facts) fields(into []string) bool {
	if *f == "" {
		return false
	}
	line, rest, _ := strings.Cut(string(*f), lineEnd)
	*f = facts(rest)
	for i := range into {
		var more bool
		into[i], line, more = strings.Cut(line, fieldEnd)
		if more != (i < len(into)-1) {
			return false
		}
	}
	return true
}

// number is a count or a number of a field; 0 where it is none.
func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return n
}
