package share

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withSSH puts a script in the place of ssh.
func withSSH(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A relay gives a port, and the host is told when it is gone.
func TestARelayForwards(t *testing.T) {
	withSSH(t, `echo "Warning: Permanently added the key." >&2
echo "Allocated port 40123 for remote forward to 127.0.0.1:5" >&2
sleep 0.1
echo "Connection to relay closed by remote host." >&2`)
	r, err := openRelay(t.Context(), "lea@relay", "127.0.0.1:5")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.line(); got != "ssh -J lea@relay -p 40123 127.0.0.1" {
		t.Error(got)
	}
	lost := ""
	r.watch(t.Context(), func(why string) { lost = why })
	if lost != "the connection to lea@relay has ended: Connection to relay closed by remote host" {
		t.Error(lost)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.watch(ctx, func(string) { t.Error("its end is said though it was wanted") })
}

func TestARelayThatRefuses(t *testing.T) {
	withSSH(t, `echo "lea@relay: Permission denied (publickey)." >&2; exit 255`)
	if _, err := openRelay(t.Context(), "lea@relay", "127.0.0.1:5"); err == nil || !strings.Contains(err.Error(), "Permission denied") {
		t.Error(err)
	}
	if _, err := openRelay(t.Context(), "-oProxyCommand=id@x", "127.0.0.1:5"); err == nil {
		t.Error("an option is taken for a host")
	}
}
