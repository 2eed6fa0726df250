package ui

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/options"
)

// The code that is shown is the one that works: a new one takes its place, and
// one that was withdrawn is not shown any more.
func TestTheCodeThatIsShownWorks(t *testing.T) {
	s := play(t, newFake(), 100, 30)
	door := pair.Door{Line: "ssh -p 4242 127.0.0.1", Code: "aaaaa-bbbbb", Expires: time.Now().Add(time.Minute)}
	s.send(company.RoomMsg(pair.View{Shared: true, Door: door}))
	if text := s.screenText(); !strings.Contains(text, "aaaaa-bbbbb") {
		t.Fatalf("the code is not shown:\n%s", text)
	}
	door.Code = "ccccc-ddddd"
	s.send(company.RoomMsg(pair.View{Shared: true, Door: door}))
	if text := s.screenText(); strings.Contains(text, "aaaaa-bbbbb") || !strings.Contains(text, "ccccc-ddddd") {
		t.Errorf("not the next code:\n%s", text)
	}
	door.Code, door.Withdrawn = "", "the code was withdrawn"
	s.send(company.RoomMsg(pair.View{Shared: true, Door: door, Said: []pair.Said{{N: 1, Level: "warn", Text: "the host is told"}}}))
	if text := s.screenText(); strings.Contains(text, "ccccc-ddddd") || !strings.Contains(text, "the code was withdrawn") || !strings.Contains(text, "the host is told") {
		t.Errorf("a dead code:\n%s", text)
	}
}

// A guest's command line is drawn on the host's machine, whose directories are not the
// guest's to look at.
func TestAGuestIsOfferedNoFiles(t *testing.T) {
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "plans-of-the-host"), "")
	for _, guest := range []bool{false, true} {
		s := play(t, newFake(), 120, 40)
		if guest {
			s.Opts.Remote = &options.Remote{}
		}
		s.press(":")
		for _, c := range "source " + dir + "/" {
			s.press(string(c))
		}
		_, cmd := s.Update(keyPress("tab"))
		if cmd != nil {
			s.send(cmd())
		}
		if shown := strings.Contains(s.screenText(), "plans-of-the-host"); shown == guest {
			t.Errorf("guest %v: shown %v:\n%s", guest, shown, s.screenText())
		}
	}
}

// Somebody at the door is asked about at once, also where the dialog that says how to
// come in is still open.
func TestAGuestDoesNotWaitBehindTheInvitation(t *testing.T) {
	s := play(t, newFake(), 100, 30)
	door := pair.Door{Line: "ssh -p 4242 127.0.0.1", Code: "aaaaa-bbbbb", Expires: time.Now().Add(time.Minute)}
	s.send(company.RoomMsg(pair.View{Shared: true, Door: door}))
	shows(t, s, "This session is shared")
	s.company.View.Role, s.company.View.People = role.Host, []pair.Person{{Name: "bob", Via: "ssh", Waiting: true}}
	s.company.Ask()
	shows(t, s, "Let bob in?")
}
