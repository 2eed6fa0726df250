package share

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/pairtest"
)

// A browser that was led to the port of editors is turned away; the host is asked
// about an editor only.
func TestOnlyEditorsKnock(t *testing.T) {
	sh := &Sharing{Room: pair.New(pairtest.New(), pair.Options{Host: "anna"})}
	if err := sh.letEditorsIn("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer sh.doors[0].Close()
	dial := func(sent string) net.Conn {
		conn, err := net.Dial("tcp", sh.doors[0].listener.Addr().String())
		if err == nil {
			_, err = io.WriteString(conn, sent)
		}
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	people := func() int {
		v, err := sh.Room.Host().Watch(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(v.People)
	}
	browser := dial("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	defer browser.Close()
	if got, _ := io.ReadAll(browser); len(got) > 0 { // until it is closed, or reset
		t.Errorf("it was answered %q", got)
	}
	if n := people(); n != 1 {
		t.Errorf("%d people are there, or ask to come in", n)
	}
	hello := ""
	for i, command := range []string{"initialize", "attach"} { // which is to ask
		request := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":{}}`, i+1, command)
		hello += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(request), request)
	}
	editor := dial(hello)
	defer editor.Close()
	testsupport.Eventually(t, "the editor asks to come in", func() bool { return people() == 2 })
}

// Connections of others than the host's user take some of the places at the door, and ask
// a few times a minute.
func TestStrangersTakeFewPlaces(t *testing.T) {
	var s strangers
	now := time.Now()
	in := 0
	for range 2 * maxAtDoor {
		if s.enter(now) {
			in++
		}
	}
	if in == 0 || in >= maxAtDoor {
		t.Errorf("%d of them are in, of %d places", in, maxAtDoor)
	}
	for range 100 { // they come and go
		s.leave()
		if s.enter(now) {
			in++
		} else {
			s.here++
		}
	}
	if in != strangersPerMinute {
		t.Errorf("%d of them came in within a minute", in)
	}
	s.leave()
	if !s.enter(now.Add(2 * time.Minute)) {
		t.Error("none comes in later")
	}
}
