// Command load puts more load on pausetui than a person does: a gigabyte of output, fifty
// guests, a thousand candidates, a hundred new sessions a second, a journal of a
// gigabyte. Meanwhile it types, and it prints how soon keys were answered and how much
// memory was used at most.
//
//	go run ./bench/load [-only NAME] [-bin PATH]
//
// It fails where a bound of docs/reliability.md does not hold. It needs Linux, and ssh
// for the guests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// The size of each terminal.
const columns, rows = 140, 40

// load is one kind of it.
type load struct {
	name   string
	memory int           // MB that are allowed
	keys   time.Duration // that nine keys in ten may take
	do     func(context.Context, *place, *figures) error
}

var loads = []load{
	{"output", 400, 100 * time.Millisecond, output},
	{"guests", 600, 100 * time.Millisecond, guests},
	{"candidates", 600, 100 * time.Millisecond, candidates},
	{"sessions", 300, 100 * time.Millisecond, sessions},
	{"journal", 300, 100 * time.Millisecond, journal},
}

// figures are what a load has shown.
type figures struct {
	memory int // MB at most, of pausetui's own process, or of a command with what it starts
	keys   []time.Duration
	said   string // what was done
}

func main() {
	only := flag.String("only", "", "loads whose name holds `NAME`")
	bin := flag.String("bin", "", "test the pausetui at `PATH` instead of building ./cmd/pausetui")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := all(ctx, *only, *bin); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func all(ctx context.Context, only, bin string) error {
	var wrong []error
	for _, l := range loads {
		if !strings.Contains(l.name, only) {
			continue
		}
		if err := l.make(ctx, bin); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", l.name, err))
		}
	}
	return errors.Join(wrong...)
}

// make puts the load on a pausetui of its own, and prints the figures.
func (l load) make(ctx context.Context, bin string) error {
	p, err := newPlace(ctx, bin)
	if p != nil {
		defer os.RemoveAll(p.here)
	}
	if err != nil {
		return err
	}
	var f figures
	if err := l.do(ctx, p, &f); err != nil {
		return err
	}
	fmt.Printf("%-12s %s; %d MB at most; keys: %s\n", l.name, f.said, f.memory, spread(f.keys))
	if f.memory > l.memory {
		err = fmt.Errorf("%d MB of memory, %d are allowed", f.memory, l.memory)
	}
	if late := nineInTen(f.keys); late > l.keys {
		err = errors.Join(err, fmt.Errorf("nine keys in ten are answered within %v, %v are allowed", late, l.keys))
	}
	return err
}
