package browser

import (
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/session"
)

// change is what differs between two sessions that stopped at the same fault.
type change struct{ what, left, right string }

// changes compares two sessions: how they ended, where and with which values they
// stopped, and what was proposed.
func changes(left, right session.State) []change {
	var list []change
	add := func(what, l, r string) {
		if l != r {
			list = append(list, change{what, l, r})
		}
	}
	l, r := session.Summarize(left), session.Summarize(right)
	add("target", l.Target, r.Target)
	add("outcome", l.Outcome, r.Outcome)
	add("judged", l.Judgement, r.Judgement)
	add("stopped", l.Culprit, r.Culprit)
	add("message", l.Message, r.Message)
	here, there := values(left), values(right)
	for _, name := range inBoth(here.names, there.names) {
		add(name, here.of[name], there.of[name])
	}
	add("fixes", strconv.Itoa(l.Candidates), strconv.Itoa(r.Candidates))
	add("verified", strconv.Itoa(l.Verified), strconv.Itoa(r.Verified))
	mine, others := titles(left), titles(right)
	for _, title := range mine {
		if !slices.Contains(others, title) {
			add("only here", title, "")
		}
	}
	for _, title := range others {
		if !slices.Contains(mine, title) {
			add("only there", "", title)
		}
	}
	return list
}

// named are texts in the order of their names.
type named struct {
	names []string
	of    map[string]string
}

// values are those of the frame that crashed.
func values(s session.State) named {
	n := named{of: map[string]string{}}
	for _, stop := range s.Stops {
		f, ok := stop.Stop.SelectedFrame()
		if !ok || !stop.Stop.Crashed() {
			continue
		}
		for _, v := range f.Variables() {
			n.names, n.of[v.Name] = append(n.names, v.Name), session.Short(v, 60)
		}
		break
	}
	return n
}

func inBoth(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

func titles(s session.State) []string {
	var list []string
	for _, stop := range s.Stops {
		for _, c := range stop.Candidates {
			list = append(list, c.Title)
		}
	}
	return list
}
