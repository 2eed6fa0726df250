package history

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/verify/history/record"
)

// Event is what a run has recorded, with the place where it happened.
type Event struct {
	Site      Site
	Goroutine int64
	At        time.Duration // since the program began
	Begun     uint64        // the steps of the run that had begun, if they were counted
	Value     string        // of a foreign program: not safe to print
	Level     int           // 0: of the value itself; below it: of what it was taken from
	Skipped   int           // how many earlier events of the same object are not known
	Times     int           // how many uses it stands for, where they were counted
	Missing   bool          // it was read from an entry that the map did not have

	seq, addr, from, object, thing uint64
	nth                            uint64 // how many events of the object came before
	read                           uint64 // seq when from was read, where it is another one
	began                          uint64 // of a stop: seq before the run went on
	size                           uint32
	number                         int // of the site
}

// History is how a value got where it was at a stop.
type History struct {
	Expr   string
	Stop   Event   // the statement that stopped, with the value there
	Events []Event // the newest first
	// Origin is the index of the event that gave the value, followed through calls and
	// copies; -1 without one.
	Origin int
	Gaps   []string
	// Around are the plain variables at the stop, by name, as package record writes them.
	Around map[string]string
	used   bool // it is a map, a channel or a lock
	shared bool // several goroutines have used the map at once
	// Copied: the origin has the value from elsewhere, where nothing was recorded.
	Copied bool
	// Several goroutines came to the statement.
	Several bool
	// Late: when the run stopped is not known; the time of Stop is that of the last event.
	Late bool
}

// most bounds the events of a history.
const most = 60

// Read picks the events of the value that a run has stopped at. goroutine is the one that
// stopped, 0 if that is not known. Where it waits there for others, blocked, these may have gone
// on. It is false where the run did not come to the statement.
func (p *Plan) Read(file []byte, goroutine int64, blocked bool) (History, bool) {
	h := History{Expr: p.query.Expr, Gaps: p.Gaps, Origin: -1, used: p.used, shared: p.query.Shared && !p.unseen}
	all := p.events(file)
	if p.query.Report != nil {
		failed, ok := p.failed(all)
		if !ok {
			return h, false
		}
		all = slices.DeleteFunc(all, func(e Event) bool { return e.seq > failed.seq || e.Site.Kind == Fails })
		goroutine = failed.Goroutine
	}
	found := false
	for _, e := range all {
		if e.Site.Kind == Stop && (!found || goroutine == 0 || e.Goroutine == goroutine || h.Stop.Goroutine != goroutine) {
			h.Several = h.Several || found && h.Stop.Goroutine != e.Goroutine
			h.Stop, found = e, true
		}
	}
	h.Stop.began = h.Stop.seq
	if found && (blocked || p.query.Within || h.Stop.Site.Goes) {
		h.Stop.last(all)
		h.Late = true
	}
	if found && h.Stop.object != 0 {
		h.trace(all)
	}
	h.unknown(p.cut)
	h.Around = h.around(all)
	if found && p.used {
		h.addUses(all)
	}
	h.Events = h.Events[:min(len(h.Events), most)]
	h.skipped(all)
	return h, found
}

// skipped counts the events that were not kept between those of an object.
func (h *History) skipped(all []Event) {
	newer := map[uint64]int{}
	known := func(object, from, to uint64) (n int) {
		for _, e := range all {
			if e.object == object && e.nth > from && e.nth < to && e.Site.Kind != Stop {
				n++
			}
		}
		return n
	}
	for i, e := range h.Events {
		if e.Site.uses() { // of these, some are left out that say nothing new
			continue
		}
		if n, ok := newer[e.object]; ok {
			to := h.Events[n].nth
			h.Events[n].Skipped = max(int(to)-int(e.nth)-1-known(e.object, e.nth, to), 0)
		}
		newer[e.object] = i
	}
}

// trace picks the events of the value at the stop.
func (h *History) trace(all []Event) {
	r := reader{all: all, seen: map[uint64]bool{}, origin: -1, used: h.used}
	r.follow(h.Stop.object, h.Stop.seq, 0, h.Stop.Value)
	if len(r.list) == 0 && h.Stop.from != 0 { // nothing has set the element: where the list is from
		r.follow(h.Stop.from, h.Stop.seq, 1, "")
		if r.origin >= 0 && (!r.list[r.origin].Site.zeroes || !slices.Contains(zero, h.Stop.Value)) {
			r.origin = -1
		}
	}
	h.Events, h.Origin = r.list, r.origin
	for i := len(h.Events) - 2; i >= 0; i-- { // noted when its statement begins, which calls what gives it
		if e := &h.Events[i]; e.Site.Kind == Passed {
			e.At = max(e.At, h.Events[i+1].At)
		}
	}
	if h.Origin >= 0 {
		e := h.Events[h.Origin]
		zero := h.Origin+1 < len(h.Events) && h.Events[h.Origin+1].Site.result
		h.Copied = (e.from != 0 || e.Site.copies) && !e.Site.computes && !zero && !e.Missing && e.Site.By == "" && !e.Site.converts
	}
	switch {
	case r.stale:
		h.Gaps = append(slices.Clone(h.Gaps), "it was changed later in a way that is not recorded")
	case r.filled:
		h.Gaps = append(slices.Clone(h.Gaps), "its elements were changed later")
	}
}

// unknown says where the events end before the origin of the value.
func (h *History) unknown(cut bool) {
	words := ""
	switch {
	case cut && h.Copied:
		words = "it is followed no further back"
	case h.Copied:
		words = "where that is from is not recorded"
	case h.Origin < 0 && len(h.Events) > 0 && len(h.Gaps) == 0:
		words = "where it is from is not recorded"
	}
	if words != "" {
		h.Gaps = append(slices.Clone(h.Gaps), words)
	}
}

// zero are the texts of plain values that nothing has set.
var zero = []string{"nil", "0", `""`, "false"}

// last has a stop be the end of the run.
func (stop *Event) last(all []Event) {
	for _, e := range all {
		switch {
		case e.seq <= stop.seq || e.Site.Kind == Stop:
		case e.object == stop.object:
			stop.Value = e.Value
		case e.Site.uses() && e.Site.Kind != Accessed && e.thing == stop.thing && e.thing != 0:
			stop.Value, _, _ = strings.Cut(shell(stop.Value, true), "{") // it may hold something else
		}
		stop.At = max(stop.At, e.At)
	}
	stop.seq = math.MaxUint64
}

// events are all of a file, in their order.
func (p *Plan) events(file []byte) []Event {
	var all []Event
	for n := 1; n <= record.Slots && (n+1)*record.SlotSize <= len(file); n++ {
		b := file[n*record.SlotSize:][:record.SlotSize]
		var w [record.Words]uint64
		for i := range w {
			w[i] = binary.NativeEndian.Uint64(b[8*i:])
		}
		site, length := int(w[3]&(1<<32-1)), int(w[11]&(1<<32-1))
		text := b[8*len(w):]
		if w[0] == 0 || site >= len(p.Sites) || length < 0 || length > len(text) {
			continue
		}
		all = append(all, Event{Site: p.Sites[site], Goroutine: int64(w[2]), At: time.Duration(w[1]), Value: string(text[:length]),
			Begun: w[7], Missing: w[11]>>32 != 0 && !p.Sites[site].computes, thing: w[8], read: w[9], nth: w[10], seq: w[0], addr: w[4], from: w[5], object: w[6], size: uint32(w[3] >> 32), number: site})
	}
	slices.SortFunc(all, func(a, b Event) int { return cmp.Compare(a.seq, b.seq) })
	return all
}

// reader follows values back.
type reader struct {
	all  []Event
	seen map[uint64]bool
	list []Event
	// origin is the index of the last event of those that brought the value; -1 if none is known.
	origin int
	used   bool // it is a map, a channel or a lock
	stale  bool // the value is not what was recorded last
	filled bool // its elements are not
}

// deepest is how often a value is followed to where it was taken from.
const deepest = deepestCode

// follow adds the events of an object before a moment, the newest first, and below the
// newest those of what it was taken from. value is what it is then; empty if that is not known.
func (r *reader) follow(object, before uint64, level int, value string) {
	if r.seen[object] || level > deepest {
		return
	}
	r.seen[object] = true
	mine := r.came(r.of(object, before, 0), value)
	other := false
	for i := len(mine) - 1; i >= 0 && len(r.list) < most; i-- { // a run may have written anything
		e := mine[i]
		newest := i == len(mine)-1 || e.Site.Kind == Passed && latest(mine, i)
		e.Level = level
		if e.Site.Kind == Passed {
			e.Level = level + 1
			if (e.Value == "" || e.Site.converts) && i+1 < len(mine) {
				e.Value = mine[i+1].Value
			}
		}
		if i == len(mine)-1 {
			other = r.isOther(e.Value, value, level)
		}
		newest = newest && !other
		if newest && !(level > 0 && e.Site.result) && !e.Site.unsure { // it was returned as it was
			r.origin = len(r.list)
			if e.Site.call && (i == 0 || mine[i-1].Site.Kind != Passed) { // what it called is not known
				r.origin = -1
			}
		}
		if e.Site.Kind == Left {
			e.Value = ""
		}
		r.list = append(r.list, e)
		if e.from != 0 && newest && !e.Site.computes {
			was := value
			if e.Missing {
				was = record.Absent
			}
			r.follow(e.from, cmp.Or(e.read, e.seq), level+1, was)
		}
	}
}

// isOther reports whether the newest event gave another value: it was changed since, or
// computed from this.
func (r *reader) isOther(given, value string, level int) bool {
	if r.same(given, value) {
		r.filled = r.filled || level == 0 && !r.used && strings.HasSuffix(given, "]") && given != value
		return false
	}
	r.stale = level == 0
	return true
}

// came leaves out what seemed to bring a value through calls, and had another one.
func (r *reader) came(mine []Event, value string) []Event {
	n := len(mine) - 1
	for n > 0 && mine[n-1].Site.Kind == Passed {
		if v := mine[n-1].Value; v != "" && !mine[n-1].Site.converts && !r.same(v, value) {
			return append(slices.Clone(mine[:n-1]), mine[n:]...)
		}
		n--
	}
	return mine
}

// same reports whether two texts may be of one value, of which one may be in an interface.
// What is in a list changes without it, and how much is in a map or a channel.
func (r *reader) same(a, b string) bool {
	a, b = shell(a, r.used), shell(b, r.used)
	return a == b || b == "" || strings.HasSuffix(a, " "+b) || strings.HasSuffix(b, " "+a)
}

// shell is the text of a list without what is in it, and of a map or a channel without how
// much that is.
func shell(text string, used bool) string {
	if strings.HasPrefix(text, `"`) {
		return text
	}
	if i := strings.Index(text, " ["); i > 0 && !used {
		return text[:i]
	}
	if !used {
		return text
	}
	if i := strings.Index(text, " of "); i > 0 {
		return text[:i]
	}
	return text
}

// latest reports whether all events after one but the last came with it.
func latest(mine []Event, i int) bool {
	for _, e := range mine[i+1 : len(mine)-1] {
		if e.Site.Kind != Passed {
			return false
		}
	}
	return true
}

// mostMoves bounds how often an element is followed to where it was before.
const mostMoves = 40

// of are the events of an object before a moment, since it began to be what it is.
func (r *reader) of(object, before uint64, moves int) (mine []Event) {
	all := r.all
	for i := len(all) - 1; i >= 0; i-- {
		if e := all[i]; e.Site.Kind == moved && e.seq < before && e.covers(object) {
			if moves < mostMoves {
				mine = r.of(e.from+object-e.addr, e.seq, moves+1)
			}
			all = all[i+1:]
			break
		}
	}
	for _, e := range all {
		if e.seq >= before || e.Site.Kind == Stop || e.Site.Kind == moved || e.Site.Kind == plain || e.object != object && !e.covers(object) {
			continue
		}
		if n := len(mine); e.Site.Begins && n > 0 && mine[n-1].addr == e.addr && mine[n-1].Site.Line == e.Site.Line && mine[n-1].Site.Kind != Passed {
			continue // one statement, seen in two ways
		}
		if e.Site.Begins {
			keep := len(mine)
			for keep > 0 && mine[keep-1].Site.Kind == Passed {
				keep--
			}
			mine = slices.Clone(mine[keep:])
		}
		mine = append(mine, e)
	}
	return mine
}

// covers reports whether an object is within what was written.
func (e Event) covers(object uint64) bool {
	return e.addr != 0 && e.addr <= object && object-e.addr < uint64(e.size)
}
