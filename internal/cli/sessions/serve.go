package sessions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/session/web"
)

func newServe(logDir *string) *cobra.Command {
	var addr string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show the sessions in a browser, read-only",
		Long: "serve prints the address of a page with the sessions, a search, statistics, and running sessions. Only\n" +
			"this machine can connect, and only with the random token in the address. Ctrl-C ends it.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			local, err := web.Loopback(addr)
			if err != nil {
				return advice.Add(err, "for instance --addr 127.0.0.1:8080; to look from elsewhere, forward the port with ssh -L")
			}
			return withIndex(c, *logDir, func(x *index.Index, _ string) error {
				listener, err := net.Listen("tcp", local)
				if err != nil {
					return fmt.Errorf("serve the sessions: %w", err)
				}
				o := web.Options{Index: x, Addr: listener.Addr().String(), Token: web.NewToken(), Now: time.Now}
				printable.Fprintf(c.OutOrStdout(), "http://%s%s\n", o.Addr, o.Path())
				return serve(c.Context(), listener, web.Handler(o))
			})
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "listen on `ADDRESS` of this machine; port 0 takes a free one")
	return c
}

// serve answers requests until the context is done, which ends also those that
// are being answered.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if server.Shutdown(grace) != nil {
			_ = server.Close() // it ends with the process
		}
		close(stopped)
	})
	err := server.Serve(listener)
	if stop() { // it failed by itself
		return fmt.Errorf("serve the sessions: %w", err)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-stopped
	return nil
}
