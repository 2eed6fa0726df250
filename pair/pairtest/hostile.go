package pairtest

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/pair"
)

// Serve serves a participant's seat on a connection until the context or the
// connection ends.
type Serve func(ctx context.Context, seat *pair.Seat, conn net.Conn)

// Effects has a newcomer send bytes over a connection that is served, and returns
// what reached the engine but for notes. Serving must end when the connection does,
// and another participant must not notice.
func Effects(t testing.TB, e *Engine, newcomer pair.Newcomer, serve Serve, sent []byte) []Done {
	t.Helper()
	room := pair.New(e, pair.Options{Host: "anna"})
	room.Expect()
	witness, err := room.Enter(pair.Newcomer{Name: "witness", Via: "ssh"})
	if err != nil {
		t.Fatal(err)
	}
	seat, err := room.Enter(newcomer)
	if err != nil {
		t.Fatal(err)
	}
	e.Done() // that they came in
	sendTo(t, seat, serve, sent)
	if err := witness.Say("still here", nil); err != nil {
		t.Errorf("another participant has noticed: %v", err)
	}
	if v, err := witness.Watch(context.Background(), 0); err != nil || len(v.People) > 3 {
		t.Errorf("who is in: %+v, %v", v.People, err)
	}
	var effects []Done
	for _, d := range e.Done() {
		if _, note := d.Intent.(intent.Note); !note {
			effects = append(effects, d)
		}
	}
	return effects
}

// sendTo sends bytes to a seat that is served, reads all answers, and waits until
// serving has ended.
func sendTo(t testing.TB, seat *pair.Seat, serve Serve, sent []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ours, theirs := net.Pipe()
	served, answered := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(served)
		serve(ctx, seat, ours)
		_ = ours.Close()
	}()
	go func() {
		defer close(answered)
		_, _ = io.Copy(io.Discard, theirs)
	}()
	_, _ = theirs.Write(sent) // which may have been refused on the way
	_ = theirs.Close()
	<-served
	<-answered
	if err := ctx.Err(); err != nil {
		t.Error("it hangs")
	}
}
