package choose

import (
	"cmp"
	"slices"
)

// Key names what was measured. An empty field means all.
type Key struct {
	Model  string `json:"model"` // "ollama/qwen3-coder:30b"
	Prompt string `json:"prompt"`
	Class  string `json:"class"`
}

// Tally counts stops that a model was asked about. Of several answers at one
// stop the best counts.
type Tally struct {
	Asked      int `json:"asked"`                // it answered
	Candidates int `json:"candidates,omitempty"` // the answer could be used
	Verified   int `json:"verified,omitempty"`   // a candidate was verified
	Right      int `json:"right,omitempty"`      // one was judged fixed
	Rejected   int `json:"rejected,omitempty"`   // a person rejected all of them
	Open       int `json:"open,omitempty"`       // verified, and neither applied nor rejected
}

func (t Tally) plus(o Tally) Tally {
	return Tally{t.Asked + o.Asked, t.Candidates + o.Candidates, t.Verified + o.Verified, t.Right + o.Right, t.Rejected + o.Rejected, t.Open + o.Open}
}

func (t Tally) less(o Tally) Tally {
	return Tally{t.Asked - o.Asked, t.Candidates - o.Candidates, t.Verified - o.Verified, t.Right - o.Right, t.Rejected - o.Rejected, t.Open - o.Open}
}

// Points are successes: what is verified and not judged counts half.
func (t Tally) Points() float64 { return float64(t.Right) + float64(t.Open)/2 }

// Results are what was measured. They hold each sum that a choice looks at, so
// that looking is cheap. The zero value holds nothing.
type Results struct{ sums map[Key]Tally }

// Add returns the results with a tally more.
func (r *Results) Add(k Key, t Tally) {
	if r.sums == nil {
		r.sums = map[Key]Tally{}
	}
	for _, sum := range []Key{k, {Model: k.Model, Class: k.Class}, {Model: k.Model}} {
		r.sums[sum] = r.sums[sum].plus(t)
	}
}

// Of is the tally of a model with a prompt on a class; an empty prompt stands
// for all, and both empty for all prompts and classes.
func (r Results) Of(model, prompt, class string) Tally {
	return r.sums[Key{Model: model, Prompt: prompt, Class: class}]
}

// OfPrompt is the tally of a prompt with all models.
func (r Results) OfPrompt(prompt string) Tally {
	var sum Tally
	for k, t := range r.sums {
		if k.Prompt == prompt && prompt != "" {
			sum = sum.plus(t)
		}
	}
	return sum
}

// Lines are the tallies of a model by prompt and class, sorted.
func (r Results) Lines(model string) []Count {
	var list []Count
	for k, t := range r.sums {
		if k.Model == model && k.Class != "" && k.Prompt != "" {
			list = append(list, Count{k, t})
		}
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Prompt, b.Prompt))
	})
	return list
}
