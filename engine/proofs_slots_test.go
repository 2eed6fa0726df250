package engine

import "testing"

func TestASlowProofSharesItsSlot(t *testing.T) {
	c := &openCase{}
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
