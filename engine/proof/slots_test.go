package proof

import (
	"testing"

	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
)

func TestASlowProofSharesItsSlot(t *testing.T) {
	c := &Case{}
	var slots []*slot
	for range 2 * proofsAtOnce {
		c.proving++
		slots = append(slots, &slot{of: c})
		slots[len(slots)-1].share()
	}
	if c.proving != proofsAtOnce || c.slow != proofsAtOnce {
		t.Errorf("%d slots in use, %d shared, of %d", c.proving, c.slow, proofsAtOnce)
	}
	for _, s := range slots {
		s.leave()
		s.share() // its time came when it had ended
	}
	if c.proving != 0 || c.slow != 0 {
		t.Errorf("left over: %d slots in use, %d shared", c.proving, c.slow)
	}
}

// A program that holds more than is free has one proof at a time, which is said once.
func TestProofsThatDoNotFitInMemory(t *testing.T) {
	pr := &Proofs{Loop: looptest.New(t, options.Session{})}
	size := func(held, free int64) {
		memoryOf = func(int) (int64, int64) { return held, free }
	}
	defer func(was func(int) (int64, int64)) { memoryOf = was }(memoryOf)
	size(3e9, 2e9)
	if !pr.fits(&Case{}) {
		t.Error("not even one fits")
	}
	c := &Case{slow: 1}
	for range 2 {
		if pr.fits(c) {
			t.Error("a second one fits")
		}
	}
	if n := pr.State().Notices; len(n) != 1 || n[0].Text != "fixes are proved one at a time: the program holds 3.0 GB, and 2.0 GB are free" {
		t.Errorf("%+v", n)
	}
	size(1e9, 2e9)
	if !pr.fits(c) {
		t.Error("a second one does not fit")
	}
}
