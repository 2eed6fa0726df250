// Command chatty replays the readings of a few weather stations, one line
// each, and ends with the last readings once more. It prints a great deal: a
// million lines unless told otherwise.
//
// The lesson: a program may say what it likes before it stops; the output
// pane stays small and the panic is found at once.
//
//	pausetui debug ./examples/chatty
//	pausetui debug ./examples/chatty -- -n 2000
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

// historySize is how many of the last lines are kept.
const historySize = 64

func main() {
	n := flag.Int("n", 1_000_000, "`readings` to replay")
	repeat := flag.Int("repeat", 100, "of the last `readings`, show this many again at the end")
	flag.Parse()
	if err := run(*n, *repeat); err != nil {
		fmt.Fprintln(os.Stderr, "chatty:", err)
		os.Exit(1)
	}
}

// run replays n readings and shows the last of them again.
func run(n, repeat int) error {
	if n < 1 || repeat < 0 {
		return fmt.Errorf("%d readings, %d of them again: want at least 1 and 0", n, repeat)
	}
	history := NewHistory(historySize)
	warmest, err := replay(os.Stdout, n, history)
	if err != nil {
		return err
	}
	fmt.Printf("%d readings, warmest %s\n", n, warmest)
	for _, line := range history.Last(repeat) {
		fmt.Println("again:", line)
	}
	return nil
}

// replay writes n readings to out, keeps them in history and returns the warmest.
// All of its output is written when it returns.
func replay(out io.Writer, n int, history *History) (Reading, error) {
	// A write for each line would take most of the time.
	buffered := bufio.NewWriterSize(out, 1<<16)
	var warmest Reading
	var line []byte
	for number := range n {
		reading := At(number)
		if number == 0 || reading.Tenths > warmest.Tenths {
			warmest = reading
		}
		line = reading.Append(line[:0])
		history.Add(string(line))
		line = append(line, '\n')
		if _, err := buffered.Write(line); err != nil {
			return warmest, fmt.Errorf("print reading %d: %w", number, err)
		}
	}
	return warmest, buffered.Flush()
}
