package sandbox

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheRealNetworkCanBeAllowed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "network", l.Addr().String())
		if r := mustRun(t, s); !slices.Equal(r.Needs, []string{NeedNetwork}) {
			t.Errorf("needs %q, blocked %q, output %q", r.Needs, r.Blocked, r.Output)
		}
		s.AllowNetwork = true
		r := mustRun(t, s)
		if !strings.Contains(string(r.Output), "outside <nil>") || len(r.Needs) > 0 {
			t.Errorf("allowed: needs %q, output %q", r.Needs, r.Output)
		}
	})
}

// The kernel counts what a program does not speak of.
func TestASilentAttemptIsFound(t *testing.T) {
	if best, reasons := Detect(); best != Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
	for name, address := range map[string]string{"another machine": "192.0.2.1:80", "a port of this machine": "127.0.0.1:9"} {
		r := mustRun(t, program(t, Full, "try", address))
		if string(r.Output) != "" || !slices.Equal(r.Needs, []string{NeedNetwork}) || !strings.Contains(strings.Join(r.Blocked, "\n"), "it tried "+map[bool]string{true: "to reach ", false: ""}[name == "another machine"]+name) {
			t.Errorf("%s: needs %q, blocked %q, output %q", name, r.Needs, r.Blocked, r.Output)
		}
	}
	if r := mustRun(t, program(t, Full, "exit")); len(r.Blocked) > 0 {
		t.Errorf("blocked %q", r.Blocked)
	}
}

func TestFilesCanBeAllowed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	secret, made := filepath.Join(home, "config", "secret"), filepath.Join(home, "config", "made")
	if err := os.MkdirAll(filepath.Dir(secret), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "write", made)
		module := t.TempDir()
		source := filepath.Join(module, "main.go")
		if err := os.WriteFile(source, []byte("package main\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Throwaway, s.AllowFiles, s.Args = []string{module}, true, []string{secret, made, source}
		r := mustRun(t, s)
		if text, err := os.ReadFile(made); err != nil || len(text) == 0 {
			t.Errorf("not written: %v; output %q", err, r.Output)
		}
		if text, _ := os.ReadFile(source); string(text) != "package main\n" {
			t.Errorf("the module was changed: %q", text)
		}
		if text, _ := os.ReadFile(secret); string(text) == "x" {
			t.Errorf("not written: %s; output %q", secret, r.Output)
		}
		_ = os.Remove(made)
		_ = os.WriteFile(secret, []byte("x"), 0o600)
	})
}

func TestAttributesCanBeAllowed(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := Spec{Path: "/bin/sh", Args: []string{"-c", "touch x && chmod 700 x && touch -t 200001010000 x"}, Dir: t.TempDir(), Env: os.Environ(), Max: tier}
		if r := mustRun(t, s); (r.ExitCode == 0) != (tier == Full) || tier == Landlock && len(r.Blocked) == 0 {
			t.Errorf("exit %d, blocked %q, output %q", r.ExitCode, r.Blocked, r.Output)
		}
		s.AllowAttributes = true
		if r := mustRun(t, s); r.ExitCode != 0 {
			t.Errorf("allowed: exit %d, output %q", r.ExitCode, r.Output)
		}
	})
}

func TestAMissingFileThatIsThereOutsideNeedsFiles(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, "settings"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string][]string{
		"open " + home + "/settings: no such file or directory":       {"file:" + home + "/settings", NeedFiles},
		"cat: '" + home + "/settings': No such file or directory":     {"file:" + home + "/settings", NeedFiles},
		"open " + home + "/nothing: no such file or directory":        nil,
		"open " + home + "/no/where: no such file or directory":       nil,
		"open /etc/x.conf: read-only file system":                     {NeedFiles},
		"open /var/lib/x: permission denied":                          {NeedFiles},
		"dial tcp 10.0.0.1:5432: connect: network is unreachable":     {NeedNetwork},
		"dial unix /run/x.sock: connect: no such file or directory":   {NeedFiles, NeedNetwork},
		"listen unix /run/x.sock: socket: operation not permitted":    {NeedFiles, NeedNetwork},
		"dial udp 10.0.0.1:53: socket: operation not permitted":       {NeedNetwork},
		"write /tmp/x: no space left on device":                       nil,
		"panic: runtime error: index out of range [1] with length 0":  nil,
		"mount: operation not permitted":                              nil,
		"lookup db.internal on 127.0.0.53:53: server misbehaving\nok": {NeedNetwork},
	} {
		if got := Needs(Blocked([]byte(line))); !slices.Equal(got, want) {
			t.Errorf("%q needs %q, want %q", line, got, want)
		}
	}
}
