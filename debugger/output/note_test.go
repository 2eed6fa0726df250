package output

import "testing"

// A note is told from what the target printed, also where that looks the same.
func TestNotesAreNotOfTheTarget(t *testing.T) {
	b := New(0, nil)
	_, _ = b.Write([]byte("one\n▷ hit\nhal"))
	b.Note("▷ hit", 7)
	_, _ = b.Write([]byte("f\n"))
	for row, want := range []bool{false, false, true, false} {
		if of, got := b.Noted(int64(row)); got != want || want && of != 7 {
			t.Errorf("row %d, %q: %v", row, b.View(row, 1).Rows, got)
		}
	}
	for range 3 * maxNotes {
		b.Note("x", nil)
	}
	_, last := b.Noted(b.rows - 1)
	_, next := b.Noted(b.rows)
	if len(b.notes) > maxNotes || !last || next {
		t.Errorf("%d notes are kept", len(b.notes))
	}
}
