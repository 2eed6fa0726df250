// Command crowd has many goroutines that wait for different things in
// different places, and then panics, or waits for itself.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"time"
)

// store is what handlers wait for: its lock is held by one that sleeps.
type store struct {
	mu    sync.Mutex
	rows  map[string]int
	ready chan struct{}
}

func (s *store) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[key]
}

func handleList(s *store, started *sync.WaitGroup)  { started.Done(); s.get("list") }
func handleQuery(s *store, started *sync.WaitGroup) { started.Done(); s.get("query") }

func hold(s *store, held chan<- struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(held)
	time.Sleep(time.Hour)
}

func worker(jobs <-chan int, started *sync.WaitGroup) {
	started.Done()
	for job := range jobs {
		fmt.Println(job)
	}
}

func producer(results chan<- int, n int, started *sync.WaitGroup) {
	started.Done()
	results <- n
}

func listener(a, b <-chan int, started *sync.WaitGroup) {
	started.Done()
	select {
	case <-a:
	case <-b:
	}
}

func sleeper(started *sync.WaitGroup) {
	started.Done()
	time.Sleep(time.Hour)
}

func crowd(n int) {
	s := &store{rows: map[string]int{}}
	held := make(chan struct{})
	go hold(s, held)
	<-held
	jobs, results, a, b := make(chan int), make(chan int), make(chan int), make(chan int)
	var started sync.WaitGroup
	started.Add(n)
	for i := range n {
		switch i % 10 {
		case 0, 1, 2, 3:
			go worker(jobs, &started)
		case 4:
			go producer(results, i, &started)
		case 5, 6:
			go listener(a, b, &started)
		case 7:
			tenant := []string{"acme", "globex"}[i/10%2]
			pprof.Do(context.Background(), pprof.Labels("tenant", tenant), func(context.Context) { go sleeper(&started) })
		case 8:
			go handleList(s, &started)
		case 9:
			go handleQuery(s, &started)
		}
	}
	started.Wait()
	time.Sleep(50 * time.Millisecond) // until the last of them waits
	runtime.GC()                      // which notes since when they wait
	time.Sleep(20 * time.Millisecond)
	s.rows = nil
	s.rows["jobs"] = len(jobs)
}

// account is locked by transfers in the order that they name it: two of them
// may wait for each other.
type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int, met *sync.WaitGroup) {
	from.mu.Lock()
	defer from.mu.Unlock()
	met.Done()
	met.Wait()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func report(done chan<- int, a *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	done <- a.balance
}

// deadlock: two transfers hold what the other one wants, a third goroutine
// waits for one of them, and the main one for its report.
func deadlock() {
	var a, b account
	var met sync.WaitGroup
	met.Add(2)
	for _, begin := range []func(){transferring(&a, &b, 1, &met), transferring(&b, &a, 2, &met)} {
		go begin()
	}
	met.Wait()
	time.Sleep(10 * time.Millisecond)
	done := make(chan int)
	go report(done, &a)
	fmt.Println(<-done)
}

// transferring returns a function that does a transfer. It locks what the transfer waits for,
// and has returned by then.
func transferring(from, to *account, amount int, met *sync.WaitGroup) func() {
	to.mu.Lock()
	defer to.mu.Unlock()
	return func() { transfer(from, to, amount, met) }
}

// dies leaves places in the runtime's list of goroutines free.
func dies(n int) {
	var over sync.WaitGroup
	for range n {
		over.Go(func() { time.Sleep(10 * time.Millisecond) })
	}
	over.Wait()
}

func main() {
	n, _ := strconv.Atoi(os.Args[len(os.Args)-1])
	switch os.Args[1] {
	case "crowd":
		crowd(n)
	case "thinned":
		dies(3 * n)
		crowd(n)
	case "deadlock":
		deadlock()
	}
}
