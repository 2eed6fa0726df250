package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Load is requests that the service sends itself.
type Load struct {
	PerSecond int
	Faults    float64 // the part with unusual input
	Requests  int
}

// request is one kind of request.
type request struct{ method, path, body string }

var (
	usual = []request{{"GET", "/products/1", ""}, {"GET", "/customers/1", ""}, {"GET", "/dearest/2", ""}, {"GET", "/report", ""}}
	// unusual input makes a handler panic, each another one.
	unusual = []request{
		{"GET", "/cheapest/5", ""},
		{"GET", "/customers/9", ""},
		{"POST", "/orders", `{"customer": 1, "lines": [{"product": 1, "count": 2}]}`},
	}
)

// Run sends the requests, one after another, and says how many had no answer.
func (l Load) Run(ctx context.Context, url string) error {
	client := &http.Client{Timeout: 30 * time.Second}
	tick := time.NewTicker(time.Second / time.Duration(l.PerSecond))
	defer tick.Stop()
	owed, odd, failed, quiet := 0.0, 0, 0, 0
	for n := range l.Requests {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		r := usual[n%len(usual)]
		if owed += l.Faults; owed >= 1 {
			owed--
			r = unusual[odd%len(unusual)]
			odd++
		}
		if err := send(ctx, client, r, url); err != nil {
			failed, quiet = failed+1, 0
			continue
		}
		quiet++
	}
	fmt.Printf("load: %d requests, %d failed, the last %d succeeded\n", l.Requests, failed, quiet)
	return nil
}

// send sends a request. An answer of any status but 5xx is a success.
func send(ctx context.Context, client *http.Client, r request, url string) error {
	req, err := http.NewRequestWithContext(ctx, r.method, url+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	return nil
}

// Stats counts requests.
type Stats struct{ requests, errors atomic.Int64 }

// String is a line for people.
func (s *Stats) String() string {
	return fmt.Sprintf("%d requests, %d errors", s.requests.Load(), s.errors.Load())
}

// Count counts the requests that next answers. GET /stats tells.
func (s *Stats) Count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stats" {
			reply(w, map[string]int64{"requests": s.requests.Load(), "errors": s.errors.Load()})
			return
		}
		s.requests.Add(1)
		answered := false
		defer func() {
			if !answered {
				s.errors.Add(1)
			}
		}()
		next.ServeHTTP(w, r)
		answered = true
	})
}
