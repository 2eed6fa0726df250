package history

import (
	"slices"
	"strings"
)

// mostUses bounds the uses in a history.
const mostUses = 40

// fewUses are shown as they are.
const fewUses = 8

// addUses adds what was done with the channel, the map or the lock at the stop, in the order
// of time. One of them may be the origin.
func (h *History) addUses(all []Event) {
	var uses []Event
	waiting := waiting(all)
	for _, e := range all {
		stopped := e.seq > h.Stop.began && e.Goroutine == h.Stop.Goroutine && e.Site.Line == h.Stop.Site.Line // it was not done
		if e.thing != 0 && e.thing == h.Stop.thing && e.Site.Kind != Stop && e.Site.Kind != through && e.seq < h.Stop.seq && !stopped && !waiting[e.seq] {
			uses = append(uses, e)
		}
	}
	slices.Reverse(uses)
	if len(uses) > fewUses {
		uses = folded(uses)
	}
	origin := h.useful(uses)
	if len(uses) > mostUses && origin < mostUses {
		uses = uses[:mostUses]
	}
	events := h.Events
	var cause uint64
	switch {
	case origin >= 0:
		cause = uses[origin].seq
	case h.Origin >= 0:
		cause = events[h.Origin].seq
	}
	h.Events = nil
	for _, e := range events {
		for ; len(uses) > 0 && e.Level == 0 && uses[0].seq > e.seq; uses = uses[1:] {
			h.Events = append(h.Events, uses[0])
		}
		h.Events = append(h.Events, e)
	}
	h.Events = append(h.Events, uses...)
	if h.Origin = -1; cause != 0 {
		h.Origin = slices.IndexFunc(h.Events, func(e Event) bool { return e.seq == cause })
	}
}

// waiting are the events of sends that were not over when the run ended, by their numbers.
func waiting(all []Event) map[uint64]bool {
	type place struct {
		site      int
		goroutine int64
	}
	last, found := map[place]Event{}, map[uint64]bool{}
	for _, e := range all {
		switch {
		case e.Site.waits:
			last[place{e.number, e.Goroutine}] = e
		case e.Site.Kind == through:
			delete(last, place{e.number - 1, e.Goroutine})
		}
	}
	for _, e := range last {
		found[e.seq] = true
	}
	return found
}

// folded counts what says nothing new instead of listing it: uses one after the other at the
// same place on the same goroutine, and all of a map there, with the newest of them.
func folded(uses []Event) (kept []Event) {
	type place struct {
		Site
		goroutine int64
	}
	at := map[place]int{}      // the newest one there
	oldest := map[int]uint64{} // the number of the last one that is counted with it
	for _, e := range uses {
		here := place{e.Site, e.Goroutine}
		i, again := at[here]
		next := again && i == len(kept)-1
		if again && (e.Site.Kind == Accessed || e.Site.Kind == Written) || next && (e.Site.Kind == Sent || e.Site.Kind == Received) {
			times := 1
			if e.object == kept[i].object && e.nth < oldest[i] { // those between them were not kept
				times = int(oldest[i] - e.nth)
			}
			kept[i].Times, oldest[i] = kept[i].Times+times, e.nth
			continue
		}
		at[here], oldest[len(kept)] = len(kept), e.nth
		e.Times = 1
		kept = append(kept, e)
	}
	return kept
}

// useful is the index of the use that says most of the stop: who closed the channel or sent on
// it last, holds the lock, used the map on another goroutine, or counted the group down; -1
// without one. The newest is the first.
func (h *History) useful(uses []Event) int {
	if i := ofKind(uses, Closed); i >= 0 {
		return i
	}
	if strings.Contains(h.Stop.Site.Text, "nlock()") { // of what is not locked: who has unlocked it
		return ofKind(uses, Unlocked)
	}
	open := 0
	for i, e := range uses {
		switch e.Site.Kind {
		case Unlocked:
			open++
		case Locked:
			if open == 0 {
				return i
			}
			open--
		case Accessed, Written:
			if h.shared && e.Goroutine != h.Stop.Goroutine {
				return i
			}
		}
	}
	for _, kind := range []Kind{Sent, Done, Added} {
		if i := ofKind(uses, kind); i >= 0 {
			return i
		}
	}
	return -1
}

func ofKind(uses []Event, kind Kind) int {
	return slices.IndexFunc(uses, func(e Event) bool { return e.Site.Kind == kind })
}
