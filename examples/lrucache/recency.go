package main

// entry is one value of a cache, linked to its neighbors in order of use.
type entry struct {
	key, value    string
	before, after *entry // nil at the ends
}

// recency is a doubly linked list of entries, the one used last in front.
// Its zero value is an empty list.
type recency struct {
	first, last *entry
}

// pushFront adds an entry that is in no list.
func (r *recency) pushFront(e *entry) {
	e.before, e.after = nil, r.first
	if r.first != nil {
		r.first.before = e
	} else {
		r.last = e
	}
	r.first = e
}

// remove takes an entry of this list out of it.
func (r *recency) remove(e *entry) {
	if e.before != nil {
		e.before.after = e.after
	} else {
		r.first = e.after
	}
	if e.after != nil {
		e.after.before = e.before
	} else {
		r.last = e.before
	}
	e.before, e.after = nil, nil
}
