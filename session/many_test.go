package session

import (
	"reflect"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// TestAJournalOfManyStops: one that came with a repository holds nothing up by how
// many there are.
func TestAJournalOfManyStops(t *testing.T) {
	var events []Event
	for i := range 20_000 {
		events = append(events,
			Event{Seq: uint64(2*i + 1), Body: &Stopped{Stop: debugger.Stop{Panic: &debugger.Panic{Class: debugger.NilMapWrite}}}},
			Event{Seq: uint64(2*i + 2), Body: &Diagnosed{}})
	}
	begun := time.Now()
	if s := Fold(NewState(), events); len(s.Stops) != 20_000 || s.Stops[7].Diagnosis == nil {
		t.Errorf("%d stops", len(s.Stops))
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestFoldSharesNothing: a state that Fold has made stays as it is when later ones
// grow from it.
func TestFoldSharesNothing(t *testing.T) {
	stop := Event{Seq: 1, Body: &Stopped{Stop: debugger.Stop{Panic: &debugger.Panic{}}}}
	var events []Event
	for range 5 {
		events = append(events, stop)
	}
	s := Fold(NewState(), events)
	first := s.Apply(Event{Seq: 2, Body: &Stopped{Stop: debugger.Stop{Goroutine: 1}}})
	second := s.Apply(Event{Seq: 2, Body: &Stopped{Stop: debugger.Stop{Goroutine: 2}}})
	third := Fold(s, []Event{{Seq: 2, Body: &Diagnosed{}}})
	if first.Stops[5].Stop.Goroutine != 1 || second.Stops[5].Stop.Goroutine != 2 || len(s.Stops) != 5 || s.Stops[4].Diagnosis != nil || third.Stops[4].Diagnosis == nil {
		t.Error("states share their stops")
	}
	if !reflect.DeepEqual(s, Fold(NewState(), events)) {
		t.Error("the state has changed")
	}
}
