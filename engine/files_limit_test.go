package engine

import (
	"strings"
	"testing"
)

func TestALowLimitOfFilesIsSaid(t *testing.T) {
	if n := filesNotice(40); len(n) != 1 || !strings.Contains(n[0].Text, "too many open files") || !strings.Contains(n[0].Text, "40") || !strings.Contains(n[0].Hint, "ulimit -n") {
		t.Errorf("%+v", n)
	}
	if n := filesNotice(1024); n != nil {
		t.Errorf("%+v", n)
	}
}
