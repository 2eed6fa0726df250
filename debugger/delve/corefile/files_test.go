package corefile

import (
	"os"
	"strings"
	"testing"
)

func TestCoresAreFiles(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range [][2]string{{self, "/dev/zero"}, {"/dev/zero", self}} {
		if err := Check(t.Context(), files[0], files[1]); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%q: err = %v", files, err)
		}
	}
}
