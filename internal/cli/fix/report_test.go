package fix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/pausetui/pausetui/ui/text"
)

// The progress of fix is one line that is written over.
func TestProgressIsOneLine(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 30, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	ProgressTo(tty)("proving fix 1 · " + strings.Repeat("rerun ", 20))
	got := make([]byte, 200)
	n, err := master.Read(got)
	if err != nil {
		t.Fatal(err)
	}
	line, ok := strings.CutPrefix(string(got[:n]), "\r\x1b[K")
	if !ok || text.Width(line) > 29 || !strings.HasPrefix(line, "proving fix 1 · rerun ") {
		t.Errorf("it prints %q", got[:n])
	}
	if f, err := os.Create(filepath.Join(t.TempDir(), "pipe")); err != nil || ProgressTo(f) != nil {
		t.Errorf("what is no terminal has progress, %v", err)
	}
}
