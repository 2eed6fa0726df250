package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// behave is what the program in the sandbox does.
func behave(name string) int {
	switch name {
	case "exit":
		fmt.Println("args", os.Args[1:])
		return 7
	case "panic":
		panic("boom")
	case "sigterm":
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(10 * time.Second)
	case "sleep":
		fmt.Println("asleep")
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), behavior+"=sleep")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = child.Start()
		time.Sleep(time.Hour)
	case "fork":
		forkOn()
	case "memory":
		var all [][]byte
		for {
			block := make([]byte, 64<<20)
			for i := range block {
				block[i] = 1
			}
			all = append(all, block)
			fmt.Println(len(all))
		}
	case "disk":
		return fillDisk()
	case "network":
		return useNetwork(os.Args[1])
	case "write":
		return writeEverywhere(os.Args[1:])
	case "kill-parent":
		fmt.Println("kill", syscall.Kill(os.Getppid(), syscall.SIGKILL), syscall.Kill(os.Getppid(), syscall.SIGTERM))
		time.Sleep(300 * time.Millisecond)
		fmt.Println("still here")
	case "flood":
		line := []byte(strings.Repeat("x", 4095) + "\n")
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return 1
			}
		}
	case "dial":
		_, err := net.Dial("unix", os.Args[1])
		fmt.Println(err)
	case "leave":
		for _, dir := range []string{os.TempDir(), "."} {
			locked := filepath.Join(dir, "a", "locked")
			fmt.Println(os.MkdirAll(locked, 0o700), os.WriteFile(filepath.Join(locked, "file"), nil, 0), os.Symlink("/", filepath.Join(locked, "link")))
			fmt.Println(unix.Mkdir(filepath.Join(locked, "deeper"), 0o300), os.WriteFile(filepath.Join(locked, "deeper", "file"), nil, 0))
		}
	case "without-namespaces":
		return withoutNamespaces(os.Args[1])
	case "mounted":
		return mounted(os.Args[1], os.Args[2])
	case "mounted-module":
		return mountedModule(os.Args[1])
	case "mounted-processes":
		return mountedProcesses(os.Args[1])
	case "reach-sockets":
		return reachSockets(os.Args[1:])
	case "echo":
		return echo()
	case "unscoped":
		return unscoped()
	case "above":
		return above(os.Args[1])
	case "locked-in":
		return lockedIn(os.Args[1])
	case "restricted":
		return restricted(Tier(os.Args[1]), os.Args[2], os.Args[3:])
	case "start": // as pausetui does
		out, _ := exec.Command("readlink", "/proc/self/fd/3").CombinedOutput() // fails if there is none
		fmt.Print(string(out))
	case "host":
		return host()
	case "attack":
		return attack(Tier(os.Args[1]), os.Args[2:])
	case "overrun":
		return overrun()
	case "multiply":
		return multiply()
	case "cling":
		return cling()
	case "hold":
		return hold()
	case "among-hidden":
		return amongHidden(os.Args[1])
	case "detect":
		fmt.Println(Detect())
	case "seem-to-wait":
		return seemToWait()
	case "compute-unseen":
		return computeUnseen()
	case "watch-files":
		return watchFiles(os.Args[1:])
	case "headless":
		return headless()
	case "hold-headless":
		return holdHeadless()
	case "yield":
		return yielded()
	case "outer":
		return outer(Tier(os.Args[1]), os.Args[2])
	case "read":
		for _, path := range os.Args[1:] {
			_, err := os.ReadFile(path)
			fmt.Println(path, err == nil)
		}
	case "look":
		return look(os.Args[1:])
	case "sizes":
		for _, path := range os.Args[1:] {
			data, _ := os.ReadFile(path) // what cannot be read has no size
			fmt.Println(path, len(data))
		}
	case "try":
		_, _ = net.Dial("tcp", os.Args[1])
	case "serve":
		return serveLines(os.Args[1])
	case "call":
		return callLine(os.Args[1], os.Args[2])
	}
	return 0
}

// serveLines answers each connection's line, on a port of the loopback. The
// line "die" ends it, and "child" stands for a server in a child process.
func serveLines(address string) int {
	if child, ok := strings.CutPrefix(address, "child "); ok {
		cmd := exec.Command(os.Args[0], child)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		fmt.Println(cmd.Run())
		return 0
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("serving")
	for {
		c, err := l.Accept()
		if err != nil {
			return 1
		}
		var line string
		_, _ = fmt.Fscanln(c, &line)
		fmt.Println("asked", line)
		fmt.Fprintln(c, "hello", line)
		_ = c.Close()
		if line == "die" {
			return 5
		}
	}
}

// callLine sends a line to a server and prints the answer.
func callLine(address, line string) int {
	c, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Println(err)
		return 9
	}
	defer c.Close()
	fmt.Fprintln(c, line)
	answer, _ := io.ReadAll(c)
	fmt.Print(string(answer))
	return 0
}

func forkOn() {
	for {
		if err := exec.Command("/bin/sleep", "1000").Start(); err != nil {
			fmt.Println(err)
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// outer stands for pausetui itself: it runs a sandbox until it is killed.
func outer(tier Tier, dir string) int {
	env := append(os.Environ(), behavior+"=stubborn")
	_, err := Run(context.Background(), Spec{Path: os.Args[0], Dir: dir, Env: env, Max: tier, Limits: Limits{Wall: time.Hour}})
	fmt.Println(err)
	return 1
}

func fillDisk() int {
	block := make([]byte, 1<<20)
	for file := 0; ; file++ {
		f, err := os.Create(filepath.Join(os.TempDir(), fmt.Sprint("fill", file)))
		if err != nil {
			fmt.Println(err)
			return 3
		}
		for range 200 {
			if _, err := f.Write(block); err != nil {
				fmt.Println(err)
				return 3
			}
		}
		f.Close()
	}
}

func useNetwork(address string) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fmt.Println("listen", err == nil)
	if err == nil {
		go func() { _, _ = l.Accept() }()
		_, err = net.Dial("tcp", l.Addr().String())
		fmt.Println("loopback", err == nil)
	}
	_, err = net.DialTimeout("tcp", address, time.Second)
	fmt.Println("outside", err)
	return 0
}

func writeEverywhere(paths []string) int {
	for _, path := range paths {
		err := os.WriteFile(path, []byte("written inside"), 0o644)
		text, _ := os.ReadFile(path)
		fmt.Println(path, err == nil, string(text) == "written inside")
	}
	return 0
}

func echo() int {
	var a, b string
	fmt.Print("name? ")
	_, _ = fmt.Scanln(&a)
	fmt.Print("age? ")
	_, err := fmt.Scanln(&b)
	fmt.Println("hello", a, b, err)
	return 0
}

// yielded waits until this session yields to others, and prints by how much
// it and this process do.
func yielded() int {
	text := ""
	for range 500 {
		data, err := os.ReadFile("/proc/self/autogroup")
		if errors.Is(err, os.ErrNotExist) {
			text = "none"
			break
		}
		if _, text, _ = strings.Cut(strings.TrimSpace(string(data)), " "); text != "nice 0" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	level, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
	fmt.Print(text, ", ", 20-level) // the system call's own way to say it
	return 0
}
