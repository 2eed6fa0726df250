package debugger

import "testing"

func TestPauseFrame(t *testing.T) {
	for function, want := range map[string]bool{
		"github.com/pausetui/pausetui/pause.Run[...]":             true,
		"github.com/pausetui/pausetui/pause.catch[go.shape.int]":  true,
		"github.com/pausetui/pausetui/pause.(*block).settle":      true,
		"github.com/pausetui/pausetui/pause.(*record).keep.func1": true,
		"github.com/pausetui/pausetui/pause_test.TestRun":         false,
		"github.com/pausetui/pausetui/pauses.Run":                 false,
		"example.com/pause.Run":                                   false,
		"main.run.func1":                                          false,
	} {
		if got := PauseFrame(function); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}

func TestBlockOf(t *testing.T) {
	if b := BlockOf(map[string]string{"job": "7", labelIntent: "Sum"}); b != nil {
		t.Errorf("without a block: %+v", b)
	}
	if b := BlockOf(map[string]string{labelBlock: "import/sum", labelIntent: "Sum", "job": "7"}); b == nil || *b != (Block{"import/sum", "Sum"}) {
		t.Errorf("got %+v", b)
	}
}
