package sessions

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestServingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(began)
			<-r.Context().Done() // as a session that is followed
		}))
	}()
	go func() {
		answer, err := http.Get((&url.URL{Scheme: "http", Host: listener.Addr().String()}).String())
		if err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}()
	<-began
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
}
