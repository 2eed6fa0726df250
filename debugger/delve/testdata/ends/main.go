// Command ends ends, or does not, in the way its argument names.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	odd "github.com/pausetui/pausetui/debugger/delve/testdata/ends/odd.v1"
)

type worker struct {
	name string
	jobs chan int
}

func (w *worker) take() int { return <-w.jobs }

func deadlock() {
	w := &worker{name: "first", jobs: make(chan int)}
	go w.take()
	fmt.Println(w.take())
}

// deadlockBelow leaves the main goroutine in a library.
func deadlockBelow() {
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait()
}

func races() {
	counts := map[int]int{}
	for i := range 8 {
		go func() {
			for n := 0; ; n++ {
				counts[n%100] = i
			}
		}()
	}
	select {}
}

func depth(n int) int { return depth(n+1) + 1 }

// walk overflows in scratch, which needs more of the stack than it does.
func walk(n int) int { return scratch(n) + walk(n+1) }

func scratch(n int) int {
	var area [1024]int
	area[n&1023] = n
	return area[0]
}

// leaf recurses through more frames of a library than a page holds.
type leaf struct{}

func (leaf) String() string {
	var nested any = leaf{}
	for range 80 {
		nested = []any{nested}
	}
	return fmt.Sprint(scratch(1), nested)
}

func unlock() {
	var mu sync.Mutex
	mu.Unlock()
}

func spin() {
	for n := 0; ; n++ {
		step(n)
	}
}

func step(n int) {
	if n%1000 == 0 {
		time.Sleep(time.Microsecond)
	}
}

func forks() {
	for range 5 {
		_ = exec.Command("sh", "-c", "(setsid sleep 1000 &) ; sleep 1000").Start()
	}
	fmt.Println("ready")
	select {
	case <-time.After(time.Hour):
	}
}

func count() {
	total := 0
	for i := range 10 {
		total += add(total, i)
	}
	fmt.Println(total)
}

func add(a, b int) int {
	sum := a + b
	return sum
}

// panicsAtEnd returns as soon as the deferred call of a goroutine that panics has run.
func panicsAtEnd() {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		var list []int
		fmt.Println(list[len(os.Args)])
	}()
	group.Wait()
}

// recoveredAtEnd returns while the deferred function that has recovered a panic still runs.
func recoveredAtEnd() {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer func() {
			_ = recover()
			group.Done()
			select {}
		}()
		panic("recovered")
	}()
	group.Wait()
}

func read() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println("read", in.Text())
	}
}

var cases = map[string]func(){
	"deadlock":       deadlock,
	"deadlock below": deadlockBelow,
	"races":          races,
	"overflow":       func() { depth(0) },
	"overflow below": func() { debug.SetMaxStack(1 << 20); walk(0) },
	"overflow afar":  func() { debug.SetMaxStack(1 << 20); _ = leaf{}.String() },
	"small overflow": func() { debug.SetMaxStack(1 << 20); depth(0) },
	"unlock":         unlock,
	"odd":            func() { odd.Last() },
	"ok":             func() {},
	"panics at end":  panicsAtEnd,
	"recovered":      recoveredAtEnd,
	"exit":           func() { os.Exit(3) },
	"kill":           func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
	"spin":           spin,
	"sleep":          func() { time.Sleep(time.Hour) },
	"deaf":           func() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP); time.Sleep(time.Hour) },
	"forks":          forks,
	"flood": func() {
		for {
			fmt.Println("flood flood flood flood flood flood")
		}
	},
	"count": count,
	"read":  read,
	"many": func() {
		for range 1200 {
			go func() { time.Sleep(time.Hour) }()
		}
		time.Sleep(50 * time.Millisecond)
		panic("many")
	},
}

func main() { cases[os.Args[1]]() }
