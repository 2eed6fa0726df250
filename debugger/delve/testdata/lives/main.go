// Command lives answers over a unix socket until it is told to end: each line
// that it is sent comes back with the number of the answer.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"time"
)

type server struct{ answers int }

// answer is where a debugger may want to stop.
func (s *server) answer(line string) string {
	s.answers++
	text := fmt.Sprintf("%d: %s", s.answers, line)
	return text
}

func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	for in.Scan() {
		if in.Text() == "panic" {
			var none *server
			none.answers++
		}
		fmt.Fprintln(conn, s.answer(in.Text()))
	}
}

// busy keeps other threads running.
func busy() {
	for n := 0; ; n++ {
		if n%1_000 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

func main() {
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go busy()
	go busy()
	s := &server{}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		s.serve(conn)
	}
}
