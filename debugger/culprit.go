package debugger

import "strings"

// Culprit returns the index of the frame a panic is blamed on: the innermost
// frame that own accepts below the gopanic where the trouble began; -1 when
// there is none. panics are those of the goroutine, oldest first, with Message,
// Class and Recovered set; repeated values count once, as the runtime prints
// them. frames may lack the innermost gopanic, as the runtime's own traces do.
//
// A panic that only passes an earlier one on (the testing package does that
// with any panic, a deferred function after recover) is not where it began. A
// panic of its own in a deferred function is.
//
// A stack overflow is blamed on the recursion: what it calls is only where the
// stack happened to be full.
func Culprit(frames []Frame, panics []Panic, own func(Frame) bool) int {
	if len(panics) > 0 && panics[len(panics)-1].Class == StackOverflow {
		return recursing(frames, own)
	}
	starts := panicStarts(frames)
	at := 0
	for at+1 < len(starts) {
		between := frames[starts[at]:starts[at+1]]
		if indexOf(between, own) >= 0 && !passedOn(panics, len(starts), at) {
			break
		}
		at++
	}
	if i := indexOf(frames[starts[at]:], own); i >= 0 {
		return starts[at] + i
	}
	return -1
}

// recursing returns the index of the innermost own frame whose function takes
// part in the recursion: it is on the stack at least half as often as the most
// frequent one. A helper of the recursion may recurse a few times, too. Where
// no function is there twice, the innermost own frame has to do.
func recursing(frames []Frame, own func(Frame) bool) int {
	most, times := Recursion(frames, own)
	return indexOf(frames, func(f Frame) bool { return own(f) && 2*times[WrittenFunction(f.Function)] >= most })
}

// Recursion counts how often each own function is on the stack, and returns the
// highest count.
func Recursion(frames []Frame, own func(Frame) bool) (most int, times map[string]int) {
	times = map[string]int{}
	for _, f := range frames {
		if own(f) {
			name := WrittenFunction(f.Function)
			times[name]++
			most = max(most, times[name])
		}
	}
	return most, times
}

// Recurring are the functions that a stack overflow's recursion consists of, by
// their names without type arguments: own functions that are on the stack more than
// once, and at least half as often as the most frequent one. Which of them is
// innermost depends on where the stack was full.
func Recurring(frames []Frame, own func(Frame) bool) map[string]bool {
	found := map[string]bool{}
	most, times := Recursion(frames, own)
	for name, n := range times {
		if n > 1 && 2*n >= most {
			found[WithoutTypeArguments(name)] = true
		}
	}
	return found
}

// SameRecursion reports whether two stacks overflowed by recursions that have a
// function in common.
func SameRecursion(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// panicStarts lists where the stack goes on below each gopanic.
func panicStarts(frames []Frame) []int {
	var starts []int
	for i, f := range frames {
		if f.Function == "runtime.gopanic" || f.Function == "panic" {
			starts = append(starts, i+1)
		}
	}
	if len(frames) == 0 || len(starts) == 0 || !frames[0].Runtime || frames[0].Function == "panic" {
		starts = append([]int{0}, starts...)
	}
	return starts
}

func indexOf(frames []Frame, own func(Frame) bool) int {
	for i, f := range frames {
		if own(f) {
			return i
		}
	}
	return -1
}

// passedOn reports whether the panic number at, counted from the newest, passes
// the one before it on.
func passedOn(panics []Panic, count, at int) bool {
	if len(panics) < count {
		return true // a value that was panicked again counts once
	}
	newer, older := panics[len(panics)-1-at], panics[len(panics)-2-at]
	return older.Recovered &&
		(newer.Class == Custom || newer.Class == CustomError || strings.Contains(newer.Message, older.Message))
}

// PassedOnByTesting reports whether the newest panic is only the testing
// package's, which recovers each one and panics with its value again. frames
// are as for Culprit.
func PassedOnByTesting(frames []Frame) bool {
	for _, f := range frames {
		if !f.Runtime && f.Function != "panic" {
			return strings.HasPrefix(f.Function, "testing.")
		}
	}
	return false
}

// Blamed is the panic that the culprit is to blame for: an earlier one where a
// deferred function has recovered it and panicked in other words, else p itself.
// frames are those of the stop.
func Blamed(frames []Frame, p Panic) Panic {
	above, below := 0, 0 // the panic that the culprit began and those after it; those before it
	for _, start := range panicStarts(frames) {
		if start <= p.Culprit {
			above++
		} else {
			below++
		}
	}
	if above <= 1 || below >= len(p.Chain) {
		return p
	}
	older := p.Chain[below] // from the oldest on: a value that was panicked again counts once
	older.Culprit = p.Culprit
	return older
}
