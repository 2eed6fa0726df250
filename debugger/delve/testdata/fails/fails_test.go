// Package fails has tests that fail in every way there is.
package fails

import (
	"fmt"
	"log"
	"os"
	"testing"
	"time"
)

func add(a, b int) int { return a + b&3 }

func TestTable(t *testing.T) {
	tests := []struct {
		name       string
		a, b, want int
	}{
		{"small", 1, 2, 3},
		{"carry", 2, 9, 11},
		{"large", 5, 12, 17},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := add(tt.a, tt.b); got != tt.want {
				t.Errorf("add(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestLoop(t *testing.T) {
	for i, want := range []int{0, 1, 5} {
		if got := add(0, i); got != want {
			t.Error("add", i, "is", got)
		}
	}
}

func checkSum(t testing.TB, a, b, want int) {
	t.Helper()
	if got := add(a, b); got != want {
		t.Fatalf("sum is %d\nwant %d", got, want)
	}
}

func TestHelper(t *testing.T) {
	checkSum(t, 1, 1, 2)
	checkSum(t, 1, 7, 8)
}

func TestBare(t *testing.T) {
	t.Log("said before")
	t.Fail()
	t.FailNow()
}

func TestBareHelper(t *testing.T) {
	refuse := func() {
		t.Helper()
		t.FailNow()
	}
	refuse()
}

// library stands for an assertion in another package: it logs, then fails.
func TestTwice(t *testing.T) {
	t.Error("first")
	t.FailNow()
}

func TestGoroutine(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		t.Error("from another goroutine")
	}()
	<-done
}

func TestParallel(t *testing.T) {
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			t.Errorf("parallel %d", i)
		})
	}
}

func TestPanics(t *testing.T) {
	var m map[string]int
	m["x"] = 1
}

func TestSkips(t *testing.T) {
	t.Log("not here")
	t.Skip("not now")
}

func TestHangs(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		wait := make(chan int)
		<-wait
	})
}

func TestExits(t *testing.T) { os.Exit(3) }

func TestLogs(t *testing.T) { log.Fatalf("no %s", "luck") }

func TestCleanup(t *testing.T) {
	t.Cleanup(func() { t.Error("in a cleanup") })
}

func TestPasses(t *testing.T) { time.Sleep(time.Millisecond) }

func TestQuits(t *testing.T) {
	t.Run("sub", func(t *testing.T) { t.Skip() })
	t.Fatal()
}

func BenchmarkFails(b *testing.B) {
	for b.Loop() {
		b.Fatal("slow")
	}
}

func FuzzFails(f *testing.F) {
	f.Add(4)
	f.Fuzz(func(t *testing.T, n int) {
		if add(0, n) != n {
			t.Errorf("n is %d", n)
		}
	})
}
