package fixer

import (
	"go/token"
	"strings"
)

// The diagnosis is one sentence: what is bad, and because of what. The first
// reason found stays, unless a rule knows better.

// because is between what is bad and where that comes from.
const because = " because "

// note says where the bad value comes from, unless that is known already.
func (f *fixer) note(reason string, at token.Pos) {
	if f.diagnosis.Origin == "" {
		f.reason(reason, at)
	}
}

// blame says where the bad value comes from, also where something else was
// said before.
func (f *fixer) blame(reason string, at token.Pos) {
	f.diagnosis.Sentence, _, _ = strings.Cut(f.diagnosis.Sentence, because)
	f.reason(reason, at)
}

func (f *fixer) reason(reason string, at token.Pos) {
	f.diagnosis.Sentence, _, _ = strings.Cut(f.diagnosis.Sentence, notFound)
	f.diagnosis.Sentence += because + reason
	if at.IsValid() {
		f.diagnosis.Origin = f.relWhere(at)
	}
}
