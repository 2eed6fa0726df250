package main

import (
	"cmp"
	"slices"
	"sync"
)

// numbered is a line with its place in the log.
type numbered struct {
	number int
	text   string
}

// Summary is what the log says as a whole.
type Summary struct {
	Requests  int
	Bytes     int
	ByClass   map[int]int // requests by the status's first digit
	Malformed []Malformed // in order of their lines
}

// Summarize runs the log through the pipeline with the given number of
// parsers. The order in which these finish does not show in the summary.
func Summarize(log []string, parsers int) Summary {
	entries, malformed := parseAll(read(log), parsers)

	summary := Summary{ByClass: make(map[int]int)}
	for entry := range entries {
		summary.Requests++
		summary.Bytes += entry.Bytes
		summary.ByClass[entry.Status/100]++
	}
	for m := range malformed {
		summary.Malformed = append(summary.Malformed, m)
	}
	slices.SortFunc(summary.Malformed, func(a, b Malformed) int { return cmp.Compare(a.Line, b.Line) })
	return summary
}

// read sends the lines of the log, one by one.
func read(log []string) <-chan numbered {
	lines := make(chan numbered)
	go func() {
		defer close(lines)
		for i, text := range log {
			lines <- numbered{number: i + 1, text: text}
		}
	}()
	return lines
}

// parseAll starts the parsers. Both channels are closed after the last line.
func parseAll(lines <-chan numbered, parsers int) (<-chan Entry, <-chan Malformed) {
	entries := make(chan Entry)
	malformed := make(chan Malformed)
	var working sync.WaitGroup
	for range parsers {
		working.Add(1)
		go func() {
			defer working.Done()
			parseLines(lines, entries, malformed)
		}()
	}
	go func() {
		working.Wait()
		close(entries)
		close(malformed)
	}()
	return entries, malformed
}

// parseLines parses lines until there are no more.
func parseLines(lines <-chan numbered, entries chan<- Entry, malformed chan<- Malformed) {
	for line := range lines {
		entry, err := parse(line.text)
		if err != nil {
			malformed <- Malformed{Line: line.number, Err: err}
			continue
		}
		entries <- entry
	}
}
