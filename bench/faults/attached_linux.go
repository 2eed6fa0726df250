package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is a program that pausetui attaches to and that has to go on whatever happens
// to pausetui. Clients send it 100 requests a second all the time.
type server struct {
	cmd     *exec.Cmd
	address string
	clients sync.WaitGroup
	stop    chan struct{}
	mu      sync.Mutex
	wrong   []string
	asked   int
	ended   chan struct{}
	stderr  bytes.Buffer
}

// begin builds and starts the server of the project, and its clients.
func (s *server) begin(r *run) error {
	path := r.path("home/server")
	build := exec.Command("go", "build", "-gcflags=-N -l", "-o", path, ".")
	build.Dir, build.Env = r.path("project"), r.env()
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the server: %w: %s", err, out)
	}
	s.cmd, s.stop = exec.Command(path), make(chan struct{})
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		return err
	}
	r.others = append(r.others, s.cmd.Process.Pid)
	r.args = []string{strconv.Itoa(s.cmd.Process.Pid)}
	if s.address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		return fmt.Errorf("the server's address: %w", err)
	}
	s.address = strings.TrimSpace(s.address)
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		_ = s.cmd.Wait()
	}()
	for range 4 {
		s.clients.Go(s.client)
	}
	return nil
}

// client asks 25 times a second, and waits for each answer.
func (s *server) client() {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		s.note("%v", err)
		return
	}
	defer c.Close()
	for n, answers := 0, bufio.NewReader(c); ; n++ {
		if err := ask(c, answers, n); err != nil {
			s.note("request %d: %v", n, err)
			return
		}
		s.mu.Lock()
		s.asked++
		s.mu.Unlock()
		select {
		case <-s.stop:
			return
		case <-time.After(40 * time.Millisecond):
		}
	}
}

func ask(c net.Conn, answers *bufio.Reader, n int) error {
	_ = c.SetDeadline(time.Now().Add(lastPatience)) // it waits while the program is stopped
	if _, err := fmt.Fprintln(c, n); err != nil {
		return err
	}
	answer, err := answers.ReadString('\n')
	if want := fmt.Sprintln(45 * n); err == nil && answer != want {
		return fmt.Errorf("answer %q, want %q", answer, want)
	}
	return err
}

func (s *server) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// check wants every request answered, also a new client's, nobody tracing the server, and
// its code as it is in the file.
func (s *server) check(r *run) {
	before := s.answered()
	if !r.until(afterPatience, func() bool { return s.answered() >= before+20 || s.failed() }) {
		r.fail("the server answers no more: %s", threads(s.cmd.Process.Pid))
	}
	close(s.stop)
	select {
	case <-s.ended:
		r.fail("the server has ended: %v\n%s", s.cmd.ProcessState, s.stderr.String())
		return
	default:
	}
	c, err := net.Dial("tcp", s.address)
	if err == nil {
		err = ask(c, bufio.NewReader(c), 7)
		_ = c.Close()
	}
	if err != nil {
		r.fail("a new client: %v", err)
	}
	if r.result.Failures == nil { // otherwise they may wait long
		s.clients.Wait()
	}
	s.mu.Lock()
	for _, w := range s.wrong {
		r.fail("a client: %s", w)
	}
	s.mu.Unlock()
	if t := threads(s.cmd.Process.Pid); strings.Contains(t, "traced") {
		r.fail("the server is traced: %s", t)
	}
	if err := sameText(s.cmd.Process.Pid); err != nil {
		r.fail("the server's code: %v", err)
	}
	if !catchesTraps(s.cmd.Process.Pid) {
		r.fail("the server's handler of SIGTRAP is gone: the next one would end it")
	}
	_ = s.cmd.Process.Kill()
	<-s.ended
}

func (s *server) answered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *server) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.wrong) > 0
}

// threads tells the states of the threads of a process.
func threads(pid int) string {
	var list []string
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ":\t")
			switch {
			case key == "State":
				list = append(list, value)
			case key == "TracerPid" && value != "0":
				list = append(list, "traced by "+value)
			}
		}
	}
	return strings.Join(list, ", ")
}

// sameText compares the code in memory with that of the file.
func sameText(pid int) error {
	f, err := elf.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return err
	}
	defer f.Close()
	text := f.Section(".text")
	want, err := text.Data()
	if err != nil {
		return err
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return err
	}
	defer memory.Close()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(io.NewSectionReader(memory, int64(text.Addr), int64(len(got))), got); err != nil {
		return err
	}
	if bytes.Equal(got, want) {
		return nil
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("%#x is %#x instead of %#x", text.Addr+uint64(i), got[i], want[i])
		}
	}
	return nil
}

// attached attaches to the server, and has breakpoints, steps and watchpoints there.
var attached = &scenario{name: "attached", weight: 2, files: answering, args: []string{"attach"}, attaches: true,
	steps: []step{
		press("", "■ attached"), press(":"), press("break main.work"+enter, "breakpoint 1"), press(escape), press("c", "■ breakpoint"),
		press("n"), press("n"), press("n"), press(":"), press("watch -w main.served"+enter, "watchpoint"), press(escape),
		press("c"), press("c"), press("n"), press("s"), press("o"), press("c"), press("n")}}

// answering multiplies what it is sent by 45.
const answering = `-- go.mod --
module example.org/answering

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"sync"
)

var (
	mu     sync.Mutex
	served int
)

func work(n int) int {
	total := 0
	for i := range 10 {
		total += i * n
	}
	mu.Lock()
	defer mu.Unlock()
	served++
	return total
}

func serve(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		n, _ := strconv.Atoi(lines.Text())
		fmt.Fprintln(c, work(n))
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	for {
		c, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go serve(c)
	}
}
`

// catchesTraps reports whether a process has a handler for SIGTRAP. The kernel takes it away
// when a breakpoint is hit while the signal is blocked.
func catchesTraps(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "\nSigCgt:\t")
	line, _, _ := strings.Cut(rest, "\n")
	caught, _ := strconv.ParseUint(line, 16, 64)
	return caught&(1<<(syscall.SIGTRAP-1)) != 0
}
