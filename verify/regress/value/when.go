package value

import (
	"fmt"
	"go/types"
	"strconv"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// How a time.Time counts (package time, time.go).
const (
	hasMonotonic   = 1 << 63
	nsecMask       = 1<<30 - 1
	nsecShift      = 30
	secondsPerDay  = 86400
	unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * secondsPerDay
	wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * secondsPerDay
)

// moment makes a time of the same wall clock, without its monotonic part.
func moment(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	wall, err := r.intField(at, v, "wall")
	if err != nil {
		return nil, err
	}
	seconds, err := r.intField(at, v, "ext")
	if err != nil {
		return nil, err
	}
	loc, err := r.field(at, v, "loc")
	if err != nil {
		return nil, err
	}
	if wall == 0 && seconds == 0 && loc.Nil {
		return zero(t), nil
	}
	if uint64(wall)&hasMonotonic != 0 {
		seconds = wallToInternal + int64(uint64(wall)<<1>>(nsecShift+1))
	}
	where, zone, err := r.zone(at, loc)
	if err != nil {
		return nil, err
	}
	at0 := time.Unix(seconds-unixToInternal, wall&nsecMask).In(zone)
	return made(t, std("time", "Date"), fmt.Sprintf("(%d, ", at0.Year()), std("time", at0.Month().String()),
		fmt.Sprintf(", %d, %d, %d, %d, %d, ", at0.Day(), at0.Hour(), at0.Minute(), at0.Second(), at0.Nanosecond()), where, ")"), nil
}

// zone reads a *time.Location: how to write it, and the same here.
func (r *Reader) zone(at site, v debugger.Variable) (any, *time.Location, error) {
	if v.Nil {
		return std("time", "UTC"), time.UTC, nil
	}
	targets, err := r.children(at, v)
	if err != nil || len(targets) != 1 {
		return nil, nil, at.refuse("has a location that cannot be read")
	}
	where, err := location(r, at, targets[0], nil)
	if err != nil {
		return nil, nil, err
	}
	switch targets[0].Addr {
	case r.variable("time.utcLoc"):
		return where, time.UTC, nil
	case r.variable("time.localLoc"):
		return where, time.Local, nil
	}
	name, offset, fixed, err := r.fixedZone(at, targets[0])
	if err != nil {
		return nil, nil, err
	}
	if fixed {
		return where, time.FixedZone(name, offset), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, nil, at.refuse("is in the time zone %q, which is not known here", name)
	}
	return where, zone, nil
}

func location(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	switch v.Addr {
	case r.variable("time.utcLoc"):
		return made(t, std("time", "UTC")), nil
	case r.variable("time.localLoc"):
		return made(t, std("time", "Local")), nil
	}
	name, offset, fixed, err := r.fixedZone(at, v)
	if err != nil {
		return nil, err
	}
	if fixed {
		return made(t, std("time", "FixedZone"), fmt.Sprintf("(%q, %d)", name, offset)), nil
	}
	return &Value{Type: t, Form: Declared, Code: Code{Self{}, ", err := ", std("time", "LoadLocation"), "(", strconv.Quote(name), ")\n",
		"if err != nil {\nt.Fatal(err)\n}"}}, nil
}

// fixedZone reads a location that is always the same offset from UTC.
func (r *Reader) fixedZone(at site, v debugger.Variable) (name string, offset int, fixed bool, err error) {
	if name, err = r.textField(at, v, "name"); err != nil {
		return "", 0, false, err
	}
	zones, err := r.field(at, v, "zone")
	if err != nil || zones.Len != 1 {
		return name, 0, false, err
	}
	list, err := r.children(at, zones)
	if err != nil {
		return "", 0, false, err
	}
	seconds, err := r.intField(at, list[0], "offset")
	return name, int(seconds), true, err
}
