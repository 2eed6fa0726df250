// Package gotest runs a Go test binary until all its tests have ended, even if one of
// them crashes or hangs, and reports the result of each.
//
// It knows neither candidates nor where a binary is run: that is a Start.
package gotest

import (
	"strings"
	"time"
)

// Status is what came of one test.
type Status string

// What comes of a test.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	// Unfinished tests had begun when their binary ended, and are not to blame.
	Unfinished Status = "unfinished"
)

// Test is one test, example, fuzz target or subtest.
type Test struct {
	Name   string // "TestAdd/empty"
	Status Status
	Output string // what it printed, the beginning; kept of tests that failed or were skipped
	Took   time.Duration
	Hung   bool // failed, because it gave no sign of life for too long
}

// Top returns the name of the test that a subtest belongs to.
func Top(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// IsTop reports whether the test is no subtest.
func (t Test) IsTop() bool { return !strings.Contains(t.Name, "/") }

// ByName is tests by their names.
func ByName(tests []Test) map[string]Test {
	m := make(map[string]Test, len(tests))
	for _, t := range tests {
		m[t.Name] = t
	}
	return m
}
