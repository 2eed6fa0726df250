// Command meanings has values in scope that mean more than their fields.
package main

import (
	"bytes"
	"container/list"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type UUID [16]byte

type userKey struct{}

type point struct{ X, Y int }

type failure struct {
	Code int
	Msg  string
	err  error
}

func (f *failure) Error() string { return fmt.Sprint(f.Code, f.Msg, f.err) }
func (f *failure) Unwrap() error { return f.err }

type blank struct{ A, B int }

type flagged struct{ err error }

func (f *flagged) Error() string { return f.err.Error() }

func (blank) Error() string { return "never called" }

type locked struct {
	deep struct{ mu sync.Mutex }
}

func main() {
	span, instant := 1500*time.Millisecond, time.Date(2026, 3, 1, 12, 30, 5, 250_000_000, time.UTC)
	zone := instant.In(time.FixedZone("", 7200))
	var never time.Time

	large, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	var none *big.Int
	ratio, half := big.NewRat(22, 7), big.NewFloat(2.5)

	id := UUID{0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3, 0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00}
	ip, ip6 := net.IPv4(10, 0, 0, 7), net.ParseIP("2001:db8::1")
	_, network, _ := net.ParseCIDR("192.168.0.0/16")
	addr, addr6 := netip.MustParseAddr("10.1.2.3"), netip.MustParseAddr("fe80::1%eth0")
	port, prefix := netip.MustParseAddrPort("10.1.2.3:80"), netip.MustParsePrefix("10.0.0.0/8")
	link, _ := url.Parse("https://ann:secret@example.com/a%2Fb?q=1#top")
	ask := &http.Request{Method: "POST", URL: &url.URL{Path: "/orders", RawQuery: "full=1"}, Host: "shop"}
	tcp := &net.TCPAddr{IP: ip, Port: 8080}

	plain := errors.New("disk full")
	_, notThere := os.Open("/nowhere/at all")
	_, notNumber := strconv.Atoi("x1")
	wrapped := fmt.Errorf("load config: %w", notThere)
	joined := fmt.Errorf("close: %w", errors.Join(plain, wrapped))
	var own error = &failure{Code: 3, Msg: "no such user", err: plain}
	var unknown error = blank{1, 2}
	var around error = &flagged{plain}
	refused := error(&net.OpError{Op: "dial", Net: "tcp", Addr: tcp, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})
	concrete := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}

	root := context.Background()
	held, cancel := context.WithCancelCause(context.WithValue(root, userKey{}, "ann"))
	open, shut := context.WithCancel(root)
	defer shut()
	until, stop := context.WithDeadline(context.WithValue(held, "trace", 7), instant.AddDate(100, 0, 0))
	defer stop()
	cancel(plain)

	var free, taken, wanted sync.Mutex
	taken.Lock()
	wanted.Lock()
	var reading, writing sync.RWMutex
	reading.RLock()
	reading.RLock()
	writing.Lock()
	var group sync.WaitGroup
	group.Add(3)
	var once, fresh sync.Once
	once.Do(func() {})
	nested := &locked{}
	nested.deep.mu.Lock()
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	pool.Put("pooled")
	var table, noTable sync.Map
	for i := range 40 {
		table.Store(fmt.Sprint("key ", i), i)
	}

	var flag atomic.Bool
	flag.Store(true)
	var count atomic.Int64
	count.Store(-9)
	var slot, noSlot atomic.Pointer[point]
	slot.Store(&point{1, 2})
	var any1 atomic.Value
	any1.Store("stored")

	ring := make(chan int, 3)
	for i := range 5 {
		ring <- i
		if i < 3 {
			<-ring
		}
	}
	closed := make(chan string, 1)
	close(closed)
	full, idle := make(chan int), make(chan struct{})
	for range 2 {
		go func() { full <- 1 }()
	}
	go func() { <-idle }()
	go func() { wanted.Lock() }()
	go func() { wanted.Lock() }()

	number, text := reflect.ValueOf(42), reflect.ValueOf(&point{3, 4}).Elem()
	pp := &nested
	pointer, empty := reflect.ValueOf(&pp).Elem(), reflect.Value{}

	buffer := bytes.NewBufferString("hello buffer")
	_, _ = buffer.Read(make([]byte, 6))
	var builder strings.Builder
	builder.WriteString("built")
	raw := json.RawMessage(`{"a": 1}`)
	names := list.New()
	names.PushBack("first")
	names.PushBack(2)
	pattern := regexp.MustCompile(`^a+$`)
	absent, present := sql.NullString{}, sql.NullInt64{Int64: 5, Valid: true}
	seven, eight := 7, "eight"
	closure := func() string { return fmt.Sprint(seven, eight) }
	method := instant.String
	file := os.Stdin

	for wanted.TryLock() || len(full) > 0 {
		runtime.Gosched()
	}
	time.Sleep(100 * time.Millisecond) // until the goroutines wait
	runtime.Breakpoint()
	use(open, &span, &instant, &zone, &never, large, none, ratio, half, &id, &ip, &ip6, network, &addr, &addr6, &port, &prefix, link, ask, tcp,
		&plain, &notThere, &notNumber, &wrapped, &joined, &own, &unknown, &around, &refused, concrete, &root, &held, &until, &free, &taken, &wanted,
		&reading, &writing, &group, &once, &fresh, nested, &pool, &table, &noTable, &flag, &count, &slot, &noSlot, &any1, ring, closed, full, idle,
		&number, &text, &pointer, &empty, buffer, &builder, &raw, names, pattern, &absent, &present, closure, method, file)
}

//go:noinline
func use(values ...any) { runtime.KeepAlive(values) }
