package target

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/session"
)

// Sizes of what is kept of a round's output, in rows and bytes.
const (
	sideHeadRows = 2000
	sideTailRows = 8000
	TailBytes    = 4 << 10
)

// KeepOutput writes the round's output next to the log, bounded.
func (rn *Runner) KeepOutput(r *Round) {
	head := r.Buffer.View(0, sideHeadRows)
	kept := &session.OutputKept{Round: r.Number, Bytes: head.Bytes, Lines: head.Lines, Tail: session.Clean(r.Buffer.Tail(TailBytes))}
	if head.Bytes > 0 {
		data, dropped := sideText(r.Buffer, head)
		kept.Dropped = dropped
		name, err := rn.Log.WriteSide(fmt.Sprintf(".round%d.out", r.Number), data)
		if err != nil {
			rn.Notice("warn", err.Error(), "")
		}
		kept.File = name
	}
	rn.Append(session.EngineActor, kept)
}

// sideText is the head and the tail with a mark between them; dropped counts
// the bytes that are in neither.
func sideText(b *output.Buffer, head output.View) (text []byte, dropped int64) {
	add := func(rows []string) {
		for _, row := range rows {
			text = append(append(text, row...), '\n')
		}
	}
	if head.Dropped == 0 && head.Total <= sideHeadRows {
		add(head.Rows)
		return text, 0
	}
	add(head.Rows)
	tail := b.View(max(head.Total-sideTailRows, sideHeadRows), sideTailRows)
	mark := len(text)
	text = append(text, fmt.Sprintf("… %d lines left out …\n", head.Dropped+int64(tail.Start-len(head.Rows)))...)
	marked := len(text) - mark
	add(tail.Rows)
	return text, max(head.Bytes-int64(len(text)-marked), 0)
}
