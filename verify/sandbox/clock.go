package sandbox

import "time"

// Limits of time do not go by the clock alone: on a busy machine a program waits
// for a processor most of the time, and what others do would decide how far it
// gets. What counts is the time in which it could have gone on.

// Spent is for how long a program has run.
type Spent struct {
	// Ran leaves out the time in which it waited for a processor and did not compute.
	Ran time.Duration
	// Idle is the part of Ran in which it neither computed nor waited for a processor.
	Idle time.Duration
}

// add counts a while that has passed, in which all processes of the program
// together have computed for cpu, and all their threads together have waited for a
// processor for delay. A program of several threads may do both at once.
func (s *Spent) add(passed, cpu, delay time.Duration) {
	s.Ran += max(min(cpu, passed), passed-delay, 0)
	s.Idle += max(passed-cpu-delay, 0)
}

// starved is by how much a limit of time may be exceeded by the clock.
const starved = 30
