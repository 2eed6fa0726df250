// Command shopservice is an HTTP service with faults that can be switched on.
//
//	GET  /products/{id}      a product
//	GET  /cheapest/{n}       the n cheapest products
//	GET  /dearest/{n}        the n dearest products
//	POST /orders             an order, as JSON: {"customer": 1, "lines": [{"product": 1, "count": 2}]}
//	GET  /customers/{id}     a customer
//	GET  /report             sales by product
//	GET  /stats              requests and errors so far
//
// With -load N it sends itself N requests per second, of which the part that
// -faults names has input that one of its faults cannot stand. It ends after
// -requests requests, and says how many of them failed.
//
// The lesson: net/http recovers the panics, and the service lives on with an error
// rate. pausetui stops at each place once, and fixes one after another under load.
//
//	pausetui debug ./examples/shopservice -- -load 20
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "`host:port` to listen on; port 0 takes a free one")
	load := flag.Int("load", 0, "requests per `second` that it sends itself; 0 sends none")
	faults := flag.Float64("faults", 0.2, "the part of these requests that has unusual input")
	requests := flag.Int("requests", 200, "end after so many of these requests")
	flag.Parse()
	if err := serve(*addr, Load{PerSecond: *load, Faults: *faults, Requests: *requests}); err != nil {
		fmt.Fprintln(os.Stderr, "shopservice:", err)
		os.Exit(1)
	}
}

// serve answers requests until the process is asked to end, or the load has ended.
func serve(addr string, load Load) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	fmt.Println("listening on", url)

	stats := &Stats{}
	quiet := log.New(io.Discard, "", 0)
	server := &http.Server{Handler: stats.Count(NewShop()), ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	loaded := make(chan error, 1)
	if load.PerSecond > 0 {
		go func() { loaded <- load.Run(ctx, url) }()
	}

	var failed error
	select {
	case err := <-done:
		return err
	case failed = <-loaded:
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	fmt.Println(stats)
	return failed
}
