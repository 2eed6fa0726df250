package choose

import (
	"math"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
)

// What nothing was measured of is judged by its size, as if it had been asked so
// many times; and what was measured elsewhere counts as so many here.
const (
	weightOfPrior = 6
	weightOfOther = 6 // other classes, for a class; other prompts, for a prompt
)

// caution is how many standard deviations below the expectation a score lies: 1
// right of 1 is no match for 41 of 50.
const caution = 0.5

// score is how probable a right fix is thought to be. The expectation comes down
// from the wide to the narrow: from the model's size to its record on other
// classes, to this class with other prompts, to this very prompt. Each step is
// the mean of a Beta distribution whose prior is the step before.
func (q Query) score(e catalog.Entry, before float64, prompt string, at int) float64 {
	id := e.ID()
	here := q.Results.Of(id, prompt, q.Class)
	class := q.Results.Of(id, "", q.Class)
	all := q.Results.Of(id, "", "")
	mean := step(before, all.less(class), weightOfPrior)
	mean = step(mean, class.less(here), weightOfOther)
	mean = step(mean, here, weightOfOther)
	known := float64(here.Asked) + weightOfOther*math.Min(1, float64(class.Asked)/weightOfOther)
	score := mean - caution*math.Sqrt(mean*(1-mean)/(known+weightOfPrior+1))
	return math.Max(score+convenience(e)-0.01*float64(at), 0)
}

// step is the expectation after a record, before which it was another.
func step(before float64, t Tally, weight float64) float64 {
	return (t.Points() + weight*before) / (float64(t.Asked) + weight)
}

// convenience prefers what answers soon and keeps the program's values here.
func convenience(e catalog.Entry) float64 {
	bonus := 0.0
	if e.Loaded {
		bonus += 0.03
	}
	if e.Remote {
		bonus -= 0.05
	}
	if e.Probe != nil && e.Probe.Speed > 0 && e.Probe.Speed < 8 {
		bonus -= 0.05
	}
	return bonus
}

// prior is what is thought of a model that was never asked: more of a larger
// one, more of one made for code, and what its probe showed.
func prior(e catalog.Entry) float64 {
	size := billions(e.Info)
	p := 0.2 + 0.08*math.Log2(1+size)
	if size == 0 {
		p = 0.35
		if e.Remote {
			p = 0.6
		}
	}
	name := strings.ToLower(e.Name)
	if strings.Contains(name, "code") || strings.Contains(name, "coder") || strings.Contains(name, "devstral") {
		p += 0.05
	}
	p = math.Min(p, 0.75)
	switch {
	case e.Probe == nil:
	case e.Probe.Fixes:
		p += 0.1 * (1 - p)
	case e.Probe.Edits:
		p *= 0.85
	default:
		p *= 0.4
	}
	return p
}

var (
	sizeWords  = lazyregexp.New(`(?i)^(?:(\d+)x)?(\d+(?:\.\d+)?)([KMBT])$`)
	sizeInName = lazyregexp.New(`(?i)(?:^|[-_:])((?:\d+x)?\d+(?:\.\d+)?[mb])(?:$|[-_:])`)
)

// bytesPerBillion is what a billion parameters take in the usual quantisation.
const bytesPerBillion = 0.6e9

// billions is how many billions of parameters a model has: as its provider
// says, as its name does, or as its size lets one think; 0 when nothing tells.
func billions(i llm.Info) float64 {
	if n := parse(i.Parameters); n > 0 {
		return n
	}
	if m := sizeInName.FindStringSubmatch(i.Name); m != nil {
		return parse(m[1])
	}
	if !i.Remote && i.Size > 0 {
		return float64(i.Size) / bytesPerBillion
	}
	return 0
}

func parse(words string) float64 {
	m := sizeWords.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return 0
	}
	if times, err := strconv.Atoi(m[1]); err == nil {
		n *= float64(times)
	}
	switch strings.ToUpper(m[3]) {
	case "K":
		return n / 1e6
	case "M":
		return n / 1e3
	case "T":
		return n * 1e3
	}
	return n
}
