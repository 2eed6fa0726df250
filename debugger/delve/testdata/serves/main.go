// Command serves starts a server whose handler panics in the way its argument
// names, makes a request of it, and prints what came of it.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/rpc"
	"os"
	"strings"
	"sync"
	"time"
)

type account struct {
	name   string
	limits map[string]int
}

type refusal struct {
	Code int
	Why  string
}

func (r *refusal) Error() string { return fmt.Sprintf("refused with %d", r.Code) }

type shape interface{ Area() float64 }

var zero int

// find returns nil for everybody but ada.
func find(name string) *account {
	if name == "ada" {
		return &account{name: name}
	}
	return nil
}

func visit(w http.ResponseWriter, r *http.Request) {
	account := find(r.URL.Query().Get("name"))
	fmt.Fprintln(w, account.limits["visits"])
}

// values panics with a value of the kind that the path names.
func values(w http.ResponseWriter, r *http.Request) {
	list := []int{1, 2, 3}
	var any any = "text"
	switch strings.TrimPrefix(r.URL.Path, "/") {
	case "index":
		fmt.Fprintln(w, list[len(list)+zero])
	case "negative":
		fmt.Fprintln(w, list[zero-1])
	case "slice":
		fmt.Fprintln(w, list[len(list)-zero:2])
	case "divide":
		fmt.Fprintln(w, 1/zero)
	case "assertion":
		fmt.Fprintln(w, any.(int))
	case "method":
		fmt.Fprintln(w, any.(shape).Area())
	case "map":
		var m map[string]int
		m["x"] = 1
	case "closed":
		c := make(chan int)
		close(c)
		close(c)
	case "string":
		panic("no way")
	case "error":
		panic(errors.New("plain"))
	case "wrapped":
		panic(fmt.Errorf("read: %w", fs.ErrNotExist))
	case "path":
		_, err := os.Open("/nowhere/at/all")
		panic(err)
	case "own":
		panic(&refusal{403, "late"})
	case "number":
		panic(42)
	}
}

// patient recovers by itself.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil {
				http.Error(w, "sorry", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// twice panics again in a deferred function.
func twice(w http.ResponseWriter, r *http.Request) {
	defer func() {
		var m map[string]int
		m["x"] = 1
	}()
	visit(w, r)
}

// generated is a handler as twirp generates it: it answers, and panics again.
func generated(w http.ResponseWriter, r *http.Request) {
	func() {
		defer answer(w)
		visit(w, r)
	}()
}

func answer(w http.ResponseWriter) {
	if r := recover(); r != nil {
		w.WriteHeader(http.StatusInternalServerError)
		panic(r)
	}
}

// Books is a service of net/rpc, which recovers nothing.
type Books struct{}

// Visit panics.
func (Books) Visit(name string, visits *int) error {
	account := find(name)
	*visits = account.limits["visits"]
	return nil
}

func call() {
	server := rpc.NewServer()
	if err := server.Register(Books{}); err != nil {
		log.Fatal(err)
	}
	here, there := net.Pipe()
	go server.ServeConn(there)
	var visits int
	fmt.Println(rpc.NewClient(here).Call("Books.Visit", "bob", &visits))
}

func main() {
	if os.Args[1] == "rpc" {
		call()
		return
	}
	log.SetOutput(io.Discard)
	handlers := map[string]http.Handler{
		"handler":    http.HandlerFunc(visit),
		"abort":      http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		"timeout":    patientless(http.TimeoutHandler(http.HandlerFunc(visit), time.Minute, "slow")),
		"middleware": patient(http.HandlerFunc(visit)),
		"values":     http.HandlerFunc(values),
		"generated":  http.HandlerFunc(generated),
		"twice":      http.HandlerFunc(twice),
		"http2":      http.HandlerFunc(visit),
		"two":        http.HandlerFunc(visit),
		"goroutine": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			go visit(w, r)
			time.Sleep(time.Minute)
		}),
	}
	name := os.Args[1]
	path := "/?name=bob"
	if len(os.Args) > 2 {
		path = os.Args[2]
	}
	serve(name, handlers[name], path)
}

// patientless is middleware that does nothing.
func patientless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func serve(name string, handler http.Handler, path string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: handler, Protocols: new(http.Protocols)}
	transport := &http.Transport{Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(name != "http2")
	server.Protocols.SetUnencryptedHTTP2(name == "http2")
	*transport.Protocols = *server.Protocols
	go server.Serve(listener)

	client := &http.Client{Transport: transport}
	count := 1
	if name == "two" {
		count = 2
	}
	var wait sync.WaitGroup
	for range count {
		wait.Go(func() {
			request, _ := http.NewRequest(http.MethodPost, "http://"+listener.Addr().String()+path, strings.NewReader(`{"amount": 3, "to": "it's me"}`))
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("X-Tenant", "north")
			answer, err := client.Do(request)
			if err != nil {
				fmt.Println("cut off")
				return
			}
			answer.Body.Close()
			fmt.Println("answered", answer.StatusCode)
		})
	}
	wait.Wait()
}
