package proof

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
)

func TestProofsWaitForAListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Proofs{Loop: &loop.Loop{}, Inspection: &look.Inspection{}}
		c := &Case{Ctx: t.Context(), opened: time.Now()}
		waited := func() time.Duration {
			began := time.Now()
			e.giveHeadStart(c)
			return time.Since(began)
		}
		if d := waited(); d != headStart {
			t.Errorf("with nothing read: %v", d)
		}
		if d := waited(); d != 0 {
			t.Errorf("after the head start: %v", d)
		}
		for range 2 { // one page, and the next
			done := e.Inspection.Listed.Page()
			time.Sleep(look.BetweenPages)
			done()
		}
		if d := waited(); d < look.BetweenPages/2 || d > 2*look.BetweenPages {
			t.Errorf("just after the last page: %v", d)
		}
		e.Inspection.Listed.Page() // hangs
		if d := waited(); d > listingStart || time.Since(c.opened) < listingStart {
			t.Errorf("while a page is read: %v, %v after the stop", d, time.Since(c.opened))
		}
	})
}
