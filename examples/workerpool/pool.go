package main

import (
	"cmp"
	"slices"
	"sync"
)

// Pool works on jobs with a fixed number of goroutines.
type Pool struct {
	jobs    chan Job
	work    func(Job) Result
	workers sync.WaitGroup

	mu      sync.Mutex
	results []Result // guarded by mu
}

// NewPool starts size workers that pass each job to work.
// The caller must call Close when it is done with the pool.
func NewPool(size int, work func(Job) Result) *Pool {
	p := &Pool{jobs: make(chan Job), work: work}
	for range size {
		p.workers.Add(1)
		go p.loop()
	}
	return p
}

// loop works until there will be no more jobs.
func (p *Pool) loop() {
	defer p.workers.Done()
	for job := range p.jobs {
		result := p.work(job)
		p.mu.Lock()
		p.results = append(p.results, result)
		p.mu.Unlock()
	}
}

// Submit hands a job to the next free worker, and waits until there is one.
// It must not be called after Drain or Close.
func (p *Pool) Submit(job Job) {
	p.jobs <- job
}

// Drain waits until every job is done and returns the results in order of
// their jobs' IDs. The pool takes no jobs afterwards.
func (p *Pool) Drain() []Result {
	close(p.jobs)
	p.workers.Wait()

	p.mu.Lock()
	defer p.mu.Unlock()
	slices.SortFunc(p.results, func(a, b Result) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Clone(p.results)
}

// Close ends the workers, after the jobs they have, and waits for them. It is
// for the caller's defer: the pool may have been drained or given up halfway.
func (p *Pool) Close() {
	close(p.jobs)
	p.workers.Wait()
}
