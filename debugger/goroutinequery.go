package debugger

import "context"

// GoroutineField is what goroutines are filtered or grouped by.
type GoroutineField string

// The fields. The values of the first four are locations, as text.
const (
	ByUserLocation  GoroutineField = "userloc"  // outside the runtime
	ByLocation      GoroutineField = "curloc"   // wherever it is
	ByGoStatement   GoroutineField = "goloc"    // that started it
	ByStartFunction GoroutineField = "startloc" // it began with
	ByLabel         GoroutineField = "label"    // of runtime/pprof
	ByRunning       GoroutineField = "running"  // on a thread now
	ByUser          GoroutineField = "user"     // not one of the runtime's own
	ByChannel       GoroutineField = "channel"  // it waits on; for filters only
)

// GoroutineFilter keeps goroutines, or those that do not match where Not is set.
type GoroutineFilter struct {
	Field GoroutineField
	// Value is a part of the location, "key=value" or "key" of a label, an
	// expression for a channel; nothing for ByRunning and ByUser.
	Value string
	Not   bool
}

// GoroutineQuerier is an Inspector that filters goroutines where they are.
type GoroutineQuerier interface {
	QueryGoroutines(ctx context.Context, query GoroutineQuery) (GoroutineList, error)
}

// GoroutineQuery asks for goroutines.
type GoroutineQuery struct {
	At      FrameRef // where expressions of filters are evaluated
	Filters []GoroutineFilter
	Group   GoroutineField // empty: no groups
	Label   string         // the key, when grouped by label
	Members int            // most of each group
	Groups  int            // most groups
	Page    Page           // without groups
}

// GoroutineGroup is a part of the goroutines of an answer, List[From:To].
type GoroutineGroup struct {
	Name     string
	From, To int
	Total    int // how many belong to it
}

// GoroutineList answers a query.
type GoroutineList struct {
	List   []Goroutine
	Groups []GoroutineGroup
	More   bool // there are more goroutines, or more groups
	Next   int  // where the next page starts
}
