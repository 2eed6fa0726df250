package ask

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
)

// shownConsent is the consent that the frontends show.
func shownConsent(ma *Models) *live.Wanted {
	u, _ := ma.Wait(context.Background(), math.MaxUint64, 0)
	return u.Live.Consent
}

// One answer serves all who wait for the same host and model, and no others.
func TestAConsentServesAllWhoWaitForIt(t *testing.T) {
	ma := &Models{Loop: looptest.New(t, options.Session{})}
	one, two := live.Wanted{Host: "api.example.org", Model: "big"}, live.Wanted{Host: "api.example.org", Model: "small"}
	answers := make([]chan bool, 3)
	for i, w := range []live.Wanted{one, two, one} {
		answers[i] = make(chan bool, 1)
		ma.want(w, answers[i])
	}
	if got := shownConsent(ma); got == nil || *got != one {
		t.Fatalf("shown: %+v", got)
	}
	ma.Consent(intent.Consent{Host: one.Host, Model: one.Model, Given: true})
	if !<-answers[0] || !<-answers[2] || len(answers[1]) != 0 {
		t.Error("the answer did not reach those who wait for it")
	}
	if got := shownConsent(ma); got == nil || *got != two {
		t.Errorf("shown next: %+v", got)
	}
	ma.forget(answers[1])
	if got := shownConsent(ma); got != nil {
		t.Errorf("shown for no one: %+v", got)
	}
	ma.Consent(intent.Consent{Host: two.Host, Model: two.Model, Given: true})
	if _, ok := ma.State().Consent(two.Host, two.Model); ok {
		t.Error("an answer that is not waited for was recorded")
	}
}

// No holds until fixes are asked for by hand.
func TestADeclinedConsentIsAskedForAgainByHand(t *testing.T) {
	ma := &Models{Loop: looptest.New(t, options.Session{})}
	w := live.Wanted{Host: "api.example.org", Model: "big"}
	ask := func() chan bool {
		answer := make(chan bool, 1)
		ma.want(w, answer)
		return answer
	}
	answer := ask()
	ma.Consent(intent.Consent{Host: w.Host, Model: w.Model})
	if <-answer {
		t.Fatal("no became yes")
	}
	if answer = ask(); len(answer) != 1 || <-answer {
		t.Error("it is asked for again, and not by hand")
	}
	ma.AskedByHand = true
	if answer = ask(); len(answer) != 0 || !slices.ContainsFunc(ma.waiting, func(x waiting) bool { return x.wanted == w }) {
		t.Error("it is not asked for again by hand")
	}
}

// Without a keyboard nothing can be waited for.
func TestAConsentWithoutAKeyboard(t *testing.T) {
	ma := &Models{Loop: looptest.New(t, options.Session{Target: options.Target{Headless: true}})}
	if err := ma.agreed(context.Background(), live.Wanted{Host: "api.example.org", Model: "big"}); !errors.Is(err, errElsewhere) {
		t.Errorf("%v", err)
	}
}
