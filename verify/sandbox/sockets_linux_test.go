package sandbox

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// hosts listens, in a directory, at sockets of every kind of name, and at a named pipe.
// A late one is made when the function it returns is called first; it always looks into
// the directory.
func hosts(t *testing.T, dir string) (paths []string, late func()) {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_PATH, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	listen := func(kind int, name string) error {
		s, err := unix.Socket(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = unix.Close(s) })
		if err := unix.Bind(s, &unix.SockaddrUnix{Name: name}); err != nil || kind == unix.SOCK_DGRAM {
			return err
		}
		return unix.Listen(s, 1)
	}
	by := func(name string) string { paths = append(paths, filepath.Join(dir, name)); return name }
	elsewhere := func(name string) error { // a container's
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // for good
			if unix.Unshare(unix.CLONE_NEWNET) != nil {
				done <- nil
				return
			}
			done <- listen(unix.SOCK_STREAM, name)
		}()
		return <-done
	}
	here := func(name string) string { return fmt.Sprintf("/proc/self/fd/%d/%s", fd, by(name)) }
	t.Chdir(dir)
	for _, err := range []error{
		listen(unix.SOCK_STREAM, filepath.Join(dir, by("absolute"))), listen(unix.SOCK_STREAM, by("relative")),
		listen(unix.SOCK_STREAM, here("by-file")), listen(unix.SOCK_DGRAM, here("datagrams")),
		elsewhere(filepath.Join(dir, by("elsewhere"))), unix.Mkfifo(by("pipe"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	reader, err := os.OpenFile("pipe", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	later, made := here("late"), false
	return paths, func() {
		if _, err := os.ReadDir(dir); err != nil {
			t.Error(err)
		}
		if made {
			return
		}
		if made = true; listen(unix.SOCK_STREAM, later) != nil {
			t.Error("no late socket")
		}
	}
}

// reachSockets tries the sockets and pipes, once it is told to, and one of its own.
// Until then it watches where they are.
func reachSockets(paths []string) int {
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	for _, path := range paths {
		if err == nil && filepath.IsAbs(path) {
			_, _ = unix.InotifyAddWatch(watch, filepath.Dir(path), unix.IN_ALL_EVENTS)
		}
	}
	fmt.Println("ready")
	_, _ = os.NewFile(3, "go on").Read(make([]byte, 1))
	if n, err := unix.Read(watch, make([]byte, 4096)); err == nil && n > 0 {
		fmt.Println("watching GOT THROUGH")
	}
	for _, path := range paths {
		for _, network := range []string{"unix", "unixgram"} {
			if _, err := net.Dial(network, path); err == nil {
				fmt.Println(path, network, "GOT THROUGH")
			}
		}
		if pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0); err == nil && unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: path}) == nil {
			fmt.Println(path, "by a pair GOT THROUGH")
		}
		if fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			fmt.Println(path, "as a pipe GOT THROUGH", fd)
		}
	}
	own := filepath.Join(os.TempDir(), "own")
	_, err = net.Listen("unix", own)
	if err == nil {
		_, err = net.Dial("unix", own)
	}
	fmt.Println("own:", err == nil)
	fmt.Println("all tried")
	return 0
}

// No socket of another program's can be connected to, whatever its name and age, nor
// can a named pipe be written to.
func TestHostSocketsAreOutOfReach(t *testing.T) {
	var paths []string
	var late []func()
	shown := t.TempDir() // hidden but for what the spec says
	for _, in := range []string{shown, "/", "/opt", "/etc", "/usr/lib", "/var/lib"} {
		dir := in
		if in != shown {
			var err error
			if dir, err = os.MkdirTemp(in, "pausetui-sandbox-test-"); err != nil {
				continue // not this user's
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
		}
		found, later := hosts(t, dir)
		paths, late = append(paths, found...), append(late, later)
	}
	abstract := fmt.Sprintf("@pausetui-sandbox-test-%d", os.Getpid())
	l, err := net.Listen("unix", abstract)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	paths = append(paths, abstract)
	for _, allowed := range []struct {
		name string
		set  func(*Spec)
		own  bool // sockets, in the full tier
	}{
		{"nothing", func(*Spec) {}, true},
		{"changes of a module", func(s *Spec) { s.Throwaway = s.Readable }, true},
		{"results of a build", func(s *Spec) { s.Writable = []string{t.TempDir()} }, false},
		{"network", func(s *Spec) { s.AllowNetwork = true }, scopes()},
		{"files", func(s *Spec) { s.AllowFiles = true }, false},
	} {
		t.Run(allowed.name, func(t *testing.T) {
			tiers(t, func(t *testing.T, tier Tier) {
				s := program(t, tier, "reach-sockets", paths...)
				s.Readable = []string{shown}
				allowed.set(&s)
				wait, goOn, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer wait.Close()
				s.ExtraFiles = []*os.File{wait}
				s.Watch = &watching{line: "ready\n", found: func() {
					for _, f := range late {
						f()
					}
					_ = goOn.Close()
				}}
				out := string(mustRun(t, s).Output)
				if s.AllowFiles || s.Writable != nil { // pipes are files, and a build runs nothing of a candidate's
					out = strings.ReplaceAll(out, "as a pipe GOT THROUGH", "")
				}
				if strings.Contains(out, "GOT THROUGH") || !strings.Contains(out, "all tried") {
					t.Error(out)
				}
				if want := tier == Full && allowed.own; strings.Contains(out, "own: true") != want {
					t.Errorf("sockets of its own: want %v: %s", want, out)
				}
			})
		})
	}
}

// watching calls found when it has seen the line for the first time.
type watching struct {
	bytes.Buffer
	line  string
	found func()
}

func (w *watching) Write(p []byte) (int, error) {
	had := strings.Contains(w.String(), w.line)
	n, err := w.Buffer.Write(p)
	if !had && strings.Contains(w.String(), w.line) {
		w.found()
	}
	return n, err
}
