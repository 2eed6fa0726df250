package main

import "fmt"

// Run is a row of consecutive matches.
type Run struct {
	First  int // index of its first match
	Points int // made in all of its matches
}

// bestRun finds the run of length matches with the most points, the earliest
// among equals. It returns an error when there are fewer matches than that.
//
// The sum slides over the matches: each step adds the match that enters the
// run and takes off the one that leaves it.
func bestRun(points []int, length int) (Run, error) {
	if len(points) < length {
		return Run{}, fmt.Errorf("run of %d: only %d matches", length, len(points))
	}
	sum := total(points[:length])
	best := Run{First: 0, Points: sum}
	for entering := length; entering <= len(points); entering++ {
		leaving := entering - length
		sum += points[entering] - points[leaving]
		if sum > best.Points {
			best = Run{First: leaving + 1, Points: sum}
		}
	}
	return best, nil
}

func total(points []int) int {
	sum := 0
	for _, p := range points {
		sum += p
	}
	return sum
}

// Trend says how a player does lately.
type Trend string

// The trends.
const (
	Rising  Trend = "rising"
	Steady  Trend = "steady"
	Falling Trend = "falling"
)

// trend compares the average of the last length matches with that of the
// whole season. There must be at least length matches.
func trend(points []int, length int) Trend {
	lately := total(points[len(points)-length:]) * len(points)
	season := total(points) * length
	switch {
	case lately > season:
		return Rising
	case lately < season:
		return Falling
	}
	return Steady
}
