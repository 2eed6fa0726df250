package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/session"
)

// maxLaunches bounds the rows of the chart; the last are shown.
const maxLaunches = 50

// ratesView is how often the target failed while it ran, launch by launch.
type ratesView struct{ Launches []launchView }

// launchView is a row of it.
type launchView struct {
	Number   int
	Changed  string // what was applied or undone since the launch before
	Failures int
	Ran      string
	Seconds  float64 // the same
	Rate     string  // failures in a minute
	Width    float64 // of the bar, in per cent
	Running  bool
}

// launch is what the events say of one.
type launch struct {
	number   int
	changed  []string
	failures int
	ran      time.Duration // not while it was held
	since    time.Time     // it runs since then; zero while it is held
	livesOn  bool          // it can go on after a failure
}

// hold ends the time that the target runs.
func (l *launch) hold(at time.Time) {
	if !l.since.IsZero() {
		l.ran += max(at.Sub(l.since), 0)
	}
	l.since = time.Time{}
}

func (l *launch) perMinute() float64 {
	if l.ran <= 0 {
		return 0
	}
	return float64(l.failures) / l.ran.Minutes()
}

// viewRates compares the launches of a session; now is zero for one that does not
// run. It returns nil for a program that its first failure ends: a rate says nothing
// of it.
func viewRates(s session.State, events []session.Event, now time.Time) *ratesView {
	launches := launchesOf(s, events)
	most, worth := 0.0, false
	end := now
	if now.IsZero() {
		end = s.Last
	}
	running := make([]bool, len(launches))
	for i, l := range launches {
		running[i] = !l.since.IsZero() && !now.IsZero() && i == len(launches)-1
		l.hold(end)
		most, worth = max(most, l.perMinute()), worth || l.livesOn
	}
	if !worth || most == 0 {
		return nil
	}
	v := &ratesView{}
	first := max(len(launches)-maxLaunches, 0)
	for i, l := range launches[first:] {
		v.Launches = append(v.Launches, launchView{Number: l.number, Changed: line(strings.Join(l.changed, ", ")), Failures: l.failures,
			Ran: duration(l.ran), Seconds: l.ran.Seconds(), Rate: fmt.Sprintf("%.1f", l.perMinute()), Width: 100 * l.perMinute() / most, Running: running[first+i]})
	}
	return v
}

// launchesOf adds up the events by launch. A failure is a stop at a crash.
func launchesOf(s session.State, events []session.Event) []*launch {
	var list []*launch
	var changed []string
	title := func(id string) string {
		c, _ := s.Candidate(id)
		return session.Called(id) + " " + c.Title
	}
	for _, e := range events {
		l := &launch{}
		if len(list) > 0 {
			l = list[len(list)-1]
		}
		switch b := e.Body.(type) {
		case *session.Applied:
			changed = append(changed, "with "+title(b.Candidate))
		case *session.Undone:
			changed = append(changed, "without "+title(b.Candidate))
		case *session.Launched:
			l.hold(e.At)
			list, changed = append(list, &launch{number: b.Round, changed: changed}), nil
		case *session.Resumed:
			l.hold(e.At)
			l.since = e.At
		case *session.Stopped:
			moved := !l.since.IsZero()
			l.hold(e.At)
			if moved && b.Stop.Crashed() {
				l.failures++
				l.livesOn = l.livesOn || b.Stop.LivesOn()
			}
		case *session.Ended:
			l.hold(e.At)
		}
	}
	return list
}
