package engine

import (
	"github.com/pausetui/pausetui/engine/loop"
	"testing"
	"testing/synctest"
	"time"
)

func TestProofsWaitForAListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &proofs{Loop: &loop.Loop{}, inspection: &inspection{}}
		c := &openCase{ctx: t.Context(), opened: time.Now()}
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
			done := e.inspection.listed.page()
			time.Sleep(betweenPages)
			done()
		}
		if d := waited(); d < betweenPages/2 || d > 2*betweenPages {
			t.Errorf("just after the last page: %v", d)
		}
		e.inspection.listed.page() // hangs
		if d := waited(); d > listingStart || time.Since(c.opened) < listingStart {
			t.Errorf("while a page is read: %v, %v after the stop", d, time.Since(c.opened))
		}
	})
}
