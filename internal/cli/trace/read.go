package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/choose"
)

// readLog reads the traces of a file, or of standard input.
func (from source) readLog(ctx context.Context) (trace.Log, error) {
	in := from.Stdin
	if !from.fromStdin() {
		file, err := os.Open(from.File)
		if err != nil {
			return trace.Log{}, advice.Add(fmt.Errorf("read a trace: %w", err), "pausetui trace FILE, or - for standard input")
		}
		defer file.Close()
		in = file
	}
	log, err := readTraces(ctx, in)
	switch {
	case ctx.Err() != nil, errors.Is(err, cancelreader.ErrCanceled), errors.Is(err, errGivenUp):
		return log, cli.ErrInterrupted
	case err != nil:
		return log, fmt.Errorf("read a trace: %w", err)
	}
	return log, nil
}

// readTraces reads until the end, or until ctx ends, which nothing typed or
// piped holds up. Reads of a regular file end by themselves.
func readTraces(ctx context.Context, in *os.File) (trace.Log, error) {
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		return trace.Read(ctx, in)
	}
	defer reader.Close()
	stop := context.AfterFunc(ctx, func() { reader.Cancel() })
	defer stop()
	if !term.IsTerminal(in.Fd()) {
		return trace.Read(ctx, reader)
	}
	if before, err := term.MakeRaw(in.Fd()); err == nil { // else lines of more than 4 kB are cut
		defer func() {
			_ = term.Restore(in.Fd(), before)
			printable.Fprintln(os.Stderr)
		}()
	}
	printable.Fprintf(os.Stderr, "Paste the trace, then press ctrl+d.\r\n")
	return trace.Read(ctx, &pasted{in: reader, progress: os.Stderr})
}

// pick returns the index of one of several traces: the only one, the one that was
// named, or the one that the person chooses.
func (from source) pick(ctx context.Context, list []trace.Distinct, settings config.Config) (int, error) {
	switch {
	case from.nth > len(list):
		return 0, cli.UsageError(fmt.Errorf("--nth %d: number of different traces in %s: %d", from.nth, from.name(), len(list)))
	case from.nth > 0:
		return from.nth - 1, nil
	case len(list) == 1:
		return 0, nil
	case from.Plain && !term.IsTerminal(from.Input().Fd()):
		return from.pickEnding(list), nil
	case from.Plain:
		return from.askNumber(list)
	}
	var rows []choose.Row
	for _, t := range list {
		note := fmt.Sprintf("line %d", t.Line)
		if t.Times > 1 {
			note = fmt.Sprintf("×%d  %s", t.Times, note)
		}
		rows = append(rows, choose.Row{Words: brief(t), Note: note})
	}
	return from.ChooseIn(ctx, fmt.Sprintf("Which of %d traces?", len(list)), rows, settings)
}

// pickEnding takes the crash that ended the program, where nobody can be asked, and
// says that there are others. Standard output may be a report.
func (from source) pickEnding(list []trace.Distinct) int {
	n := trace.Ending(list)
	why := "the one that ended the program"
	if !list[n].Ends() {
		why = "the newest; none of them has ended the program"
	}
	printable.Fprintf(from.Stderr, "%d traces in %s:\n", len(list), from.name())
	_, _ = io.WriteString(from.Stderr, traceRows(list)) // its lines are printable
	printable.Fprintf(from.Stderr, "taking %d, %s; --nth N takes another one\n", n+1, why)
	return n
}

// traceRows are the traces, one in a line.
func traceRows(list []trace.Distinct) string {
	var rows strings.Builder
	for i, t := range list {
		printable.Fprintf(&rows, "%d: %s, line %d", i+1, brief(t), t.Line)
		if t.Times > 1 {
			printable.Fprintf(&rows, ", %d times", t.Times)
		}
		rows.WriteByte('\n')
	}
	return rows.String()
}

// askNumber lists the traces and reads a number from the terminal.
func (from source) askNumber(list []trace.Distinct) (int, error) {
	in := from.Input()
	printable.Fprintf(from.Stdout, "%d traces:\n", len(list))
	_, _ = io.WriteString(from.Stdout, traceRows(list))
	for {
		printable.Fprintf(from.Stdout, "which one, 1 to %d? ", len(list))
		text, err := readLine(in)
		if n, bad := strconv.Atoi(strings.TrimSpace(text)); bad == nil && 1 <= n && n <= len(list) {
			return n - 1, nil
		}
		if err != nil {
			return 0, cli.ErrInterrupted
		}
	}
}

// readLine reads no byte after the end of the line: others read what follows.
func readLine(in io.Reader) (string, error) {
	var line strings.Builder
	b := make([]byte, 1)
	for line.Len() < 1<<10 {
		n, err := in.Read(b)
		if n > 0 && b[0] == '\n' {
			return line.String(), nil
		}
		line.Write(b[:n])
		if err != nil {
			return line.String(), err
		}
	}
	return line.String(), nil
}
