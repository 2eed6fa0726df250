package debugger

import "testing"

func TestLanding(t *testing.T) {
	gopark := Frame{Index: 0, Function: "runtime.gopark", Runtime: true}
	poll := Frame{Index: 1, Function: "internal/poll.(*FD).Read"}
	read := Frame{Index: 2, Function: "os.(*File).Read"}
	load := Frame{Index: 3, Function: "main.load", User: true}
	main := Frame{Index: 4, Function: "main.main", User: true}
	for _, one := range []struct {
		frames []Frame
		want   string
	}{
		{[]Frame{gopark, poll, read, load, main}, "main.load"},
		{[]Frame{gopark, poll, read}, "os.(*File).Read"},
		{[]Frame{gopark}, "runtime.gopark"},
		{nil, ""},
	} {
		if got := Landing(one.frames); got.Function != one.want {
			t.Errorf("in %v: %s, want %s", one.frames, got.Function, one.want)
		}
	}
}
