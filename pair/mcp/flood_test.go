package mcp

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// flood is an agent that calls without end and reads no answers.
type flood struct {
	mcp.Connection
	next int
	same bool // all calls have one id
}

func (f *flood) Connect(context.Context) (mcp.Connection, error) { return f, nil }

func (f *flood) Read(context.Context) (jsonrpc.Message, error) {
	if !f.same {
		f.next++
	}
	id, err := jsonrpc.MakeID(float64(f.next))
	return &jsonrpc.Request{ID: id, Method: "tools/call"}, err
}

func (f *flood) Write(context.Context, jsonrpc.Message) error { return nil }

func (f *flood) Close() error { return nil }

func TestAFloodOfCallsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flood{}
		c, err := bounded{f}.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan jsonrpc.Message, 10*maxCalls)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for range 2*maxCalls + 1 {
				if m, err := c.Read(t.Context()); err == nil {
					read <- m
				}
			}
		}()
		synctest.Wait()
		if len(read) != maxCalls {
			t.Fatalf("%d calls are handled at once", len(read))
		}
		for range maxCalls {
			if err := c.Write(t.Context(), &jsonrpc.Response{ID: (<-read).(*jsonrpc.Request).ID}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if len(read) != maxCalls {
				t.Fatalf("%d calls are handled at once, after an answer", len(read))
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		<-ended
	})
}

// The library answers no call whose id is in use: it must not count for good.
func TestCallsOfOneIDDoNotBlock(t *testing.T) {
	c, err := bounded{&flood{same: true}}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 * maxCalls {
		if _, err := c.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
