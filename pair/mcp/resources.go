package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
)

// The resources.
const (
	logURI    = "pausetui://session/log"
	statusURI = "pausetui://session/status"
)

func (f *front) addResources() {
	resource := func(uri, name, about, mime string, read func(*server, context.Context) (string, error)) {
		f.m.AddResource(&mcp.Resource{URI: uri, Name: name, Description: about, MIMEType: mime},
			func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				s, err := f.current()
				if err != nil {
					return nil, withHint(err)
				}
				text, err := read(s, ctx)
				if err != nil {
					return nil, err
				}
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}, nil
			})
	}
	resource(logURI, "log", "The log of the session so far", "text/markdown", (*server).log)
	resource(statusURI, "status", "What the tool status returns", "application/json", func(s *server, _ context.Context) (string, error) {
		data, err := json.Marshal(s.statusNow())
		return string(data), err
	})
}

// Which resources there are is known; the library keeps who has subscribed to them.
func (f *front) subscribe(_ context.Context, r *mcp.SubscribeRequest) error {
	if r.Params.URI != logURI && r.Params.URI != statusURI {
		return mcp.ResourceNotFoundError(r.Params.URI)
	}
	return nil
}

func (f *front) unsubscribe(context.Context, *mcp.UnsubscribeRequest) error { return nil }

// announceEvery is how often an agent hears at most that its resources have changed.
const announceEvery = time.Second

// announce tells who has subscribed that the session went on.
func (f *front) announce(ctx context.Context, seat *pair.Seat) {
	after := seat.State().Seq
	for {
		u, err := seat.Wait(ctx, after, math.MaxUint64)
		if err != nil || len(u.Events) == 0 {
			return
		}
		after = u.Events[len(u.Events)-1].Seq
		for _, uri := range []string{logURI, statusURI} {
			_ = f.m.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it has left
		}
		select {
		case <-time.After(announceEvery):
		case <-ctx.Done():
			return
		}
	}
}

const maxLog = 200 << 10 // bytes

// log is the session's log, as far as it is.
func (s *server) log(ctx context.Context) (string, error) {
	events, err := s.events(ctx)
	if err != nil {
		return "", err
	}
	text := s.seat.Screened(string(session.Markdown(s.eventsForAgent(events))))
	if len(text) > maxLog {
		text = text[:maxLog] + fmt.Sprintf("\n[… %d bytes left out]\n", len(text)-maxLog)
	}
	return printable.Text(text), nil
}

// events are all events so far.
func (s *server) events(ctx context.Context) ([]session.Event, error) {
	u, err := s.seat.Wait(ctx, 0, 0)
	if err != nil && len(u.Events) == 0 {
		return nil, err
	}
	return u.Events, nil
}
