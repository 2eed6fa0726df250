//go:build !nopace

package frames

import (
	"reflect"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// programTicker returns what gives the ticker by which a program draws: nil
// before the program runs. It is nil itself if a version of Bubble Tea keeps the
// ticker elsewhere; a test fails then.
//
// The ticker is a field that Bubble Tea does not export. This is the only place
// that reaches into a library; the build tag nopace leaves it out.
func programTicker(p *tea.Program) func() *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	at := (**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
	return func() *time.Ticker { return *at }
}
