package dap

import (
	"errors"
	"net"
	"testing"
)

// A session runs programs with this user's rights: nobody else begins one.
func TestAnEditorOfAnotherUserIsRefused(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	defer ours.Close()
	if err := (&settings{}).admit(t.Context(), ours, false); !errors.Is(err, errOtherUser) {
		t.Error(err)
	}
}
