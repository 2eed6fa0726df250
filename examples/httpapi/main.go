// Command httpapi serves the orders of a small shop over HTTP:
//
//	GET /customers/{id}         a customer
//	GET /orders/{id}            an order
//	GET /orders/{id}/invoice    its invoice, addressed to the customer
//
// It prints the address it listens on, and ends on SIGTERM or ctrl+c once the
// requests at hand are answered. Try the orders 1001 to 1003.
//
// The lesson: net/http recovers a handler's panic, so that the server lives on
// and only a trace in its log and a cut connection tell of it.
//
//	pausetui debug ./examples/httpapi \
//		--repro 'curl -s http://127.0.0.1:8080/orders/1003/invoice' -- -addr 127.0.0.1:8080
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// shutdownTimeout bounds the wait for requests that are still being answered.
const shutdownTimeout = 5 * time.Second

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "`host:port` to listen on; port 0 takes a free one")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "httpapi:", err)
		os.Exit(1)
	}
}

// serve answers requests on addr until the process is asked to end.
func serve(addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())

	server := &http.Server{Handler: NewAPI(NewStore()), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()

	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	fmt.Println("bye")
	return nil
}
