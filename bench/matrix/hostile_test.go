//go:build unix

package matrix

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A run that is merged or shown may come from another machine: nothing in it is
// waited for, and no size of it is believed.
func TestHostileRuns(t *testing.T) {
	for _, trials := range []string{"1000000000000", "9223372036854775807", "-1"} {
		dir := t.TempDir()
		plan := fmt.Sprintf(`{"version":1,"columns":[{"model":"a"},{"model":"b"}],"cases":[{"name":"x"}],"trials":%s}`, trials)
		if err := os.WriteFile(filepath.Join(dir, planFile), []byte(plan), 0o600); err != nil {
			t.Fatal(err)
		}
		if p, err := ReadPlan(dir); err == nil {
			t.Errorf("%s trials make a plan of %d cells", trials, p.Len())
		}
	}
	dir := t.TempDir()
	for _, name := range []string{planFile, resultFile, detailFile} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadPlan(dir); err == nil {
		t.Error("a plan is read from a pipe")
	}
	if err := Scan(dir, testPlan(t), func(Result) {}); err == nil {
		t.Error("results are read from a pipe")
	}
	if err := Details(dir, func(Cell) bool { return true }, func(Detail) error { return nil }); err == nil {
		t.Error("details are read from a pipe")
	}
	for _, key := range []string{"../../x", "ab/../../x", "..", `a\b`} {
		if _, ok, err := AnswersOf(dir).Get(key); ok || err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}
