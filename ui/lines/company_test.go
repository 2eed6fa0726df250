package lines

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/pair"
)

func TestAWithdrawnCodeIsToldOnce(t *testing.T) {
	var out bytes.Buffer
	f := newFrontend(t.Context(), newEngine(), Options{Output: &out, Clock: time.Now})
	door := pair.Door{Line: "ssh -p 4242 127.0.0.1", Code: "aaaaa-bbbbb", Expires: time.Now().Add(time.Minute)}
	f.room.met(pair.View{Door: door})
	_ = f.out.Flush()
	if !strings.Contains(out.String(), "aaaaa-bbbbb") {
		t.Fatalf("the code is not said: %s", out.String())
	}
	out.Reset()
	door.Code, door.Withdrawn = "", "the code was withdrawn"
	for range 2 {
		f.room.met(pair.View{Door: door, Said: []pair.Said{{N: 1, Level: "warn", Text: "the code was withdrawn: invite"}}})
	}
	_ = f.out.Flush()
	if text := out.String(); strings.Count(text, "withdrawn") != 1 || strings.Contains(text, "aaaaa-bbbbb") {
		t.Errorf("said: %s", text)
	}
}
