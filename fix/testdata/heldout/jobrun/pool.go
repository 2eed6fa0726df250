package main

import (
	"errors"
	"fmt"
	"sync"
)

var errTransient = errors.New("transient")

type Job struct {
	ID    int
	Name  string
	Tries int
	Work  func(try int) error
}

type Pool struct {
	queue   chan *Job
	pending sync.WaitGroup
	exited  chan struct{}

	mu   sync.Mutex
	log  []string
	stat map[string]int
}

func NewPool(depth int) *Pool {
	return &Pool{
		queue:  make(chan *Job, depth),
		exited: make(chan struct{}),
		stat:   map[string]int{},
	}
}

func (p *Pool) Start(workers int) {
	var alive sync.WaitGroup
	for i := range workers {
		alive.Add(1)
		go func() {
			defer alive.Done()
			p.loop(i)
		}()
	}
	go func() {
		alive.Wait()
		close(p.exited)
	}()
}

func (p *Pool) Submit(j *Job) {
	p.pending.Add(1)
	p.queue <- j
}

func (p *Pool) Drain() {
	p.pending.Wait()
	close(p.queue)
	<-p.exited
}

func (p *Pool) loop(worker int) {
	for j := range p.queue {
		p.run(worker, j)
	}
}

func (p *Pool) run(worker int, j *Job) {
	defer p.pending.Done()
	for try := 1; ; try++ {
		err := j.Work(try)
		switch {
		case err == nil:
			p.note("ok", fmt.Sprintf("w%d job %d %s ok after %d", worker, j.ID, j.Name, try))
			return
		case errors.Is(err, errTransient) && try < j.Tries:
			p.note("retry", fmt.Sprintf("w%d job %d %s: %v", worker, j.ID, j.Name, err))
		default:
			p.abandon(j, err)
			return
		}
	}
}

func (p *Pool) abandon(j *Job, err error) {
	p.note("failed", fmt.Sprintf("job %d %s given up: %v", j.ID, j.Name, err))
	p.pending.Done()
}

func (p *Pool) note(kind, msg string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stat[kind]++
	p.log = append(p.log, msg)
}
