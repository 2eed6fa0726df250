// Command calculator evaluates integer arithmetic, one line at a time.
//
// It reads standard input. A line is an expression (`2 * (3 + 4)`) or gives a
// name to one (`rate = 12 * 4`). A line that cannot be evaluated is answered
// with an error, and the next line is read.
//
// The lesson: the same statement ran well many times before; the values of
// the paused frame tell what was different about this line of input.
//
//	pausetui debug ./examples/calculator --stdin examples/calculator/stdin.txt
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "calculator:", err)
		os.Exit(1)
	}
}

// run answers every line of in on out. It returns an error only when reading
// or writing fails: a line that makes no sense is part of a normal day.
func run(in io.Reader, out io.Writer) error {
	session := NewSession()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := fmt.Fprintln(out, answer(session, line)); err != nil {
			return err
		}
	}
	return lines.Err()
}

// answer is the text shown for one line: its value or what is wrong with it.
func answer(session *Session, line string) string {
	value, err := session.Execute(line)
	if err != nil {
		return fmt.Sprintf("%s: error: %v", line, err)
	}
	return fmt.Sprintf("%s: %d", line, value)
}
