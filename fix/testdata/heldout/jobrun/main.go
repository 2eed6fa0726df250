package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

func flaky(fails int) func(int) error {
	return func(try int) error {
		if try <= fails {
			return fmt.Errorf("attempt %d: %w", try, errTransient)
		}
		return nil
	}
}

func broken(why string) func(int) error {
	return func(int) error { return fmt.Errorf("broken: %s", why) }
}

func build(names []string) (jobs []*Job) {
	for i, n := range names {
		j := &Job{ID: i + 1, Name: n, Tries: 3}
		kind, _, _ := strings.Cut(n, "-")
		switch kind {
		case "flaky":
			j.Work = flaky(2)
		case "broken":
			j.Work = broken("no such host")
		default:
			j.Work = flaky(0)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func main() {
	p := NewPool(4)
	p.Start(1)
	for _, j := range build(os.Args[1:]) {
		p.Submit(j)
	}
	p.Drain()
	for _, l := range p.log {
		fmt.Println(l)
	}
	var keys []string
	for k := range p.stat {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Printf("%s=%d ", k, p.stat[k])
	}
	fmt.Println()
}
