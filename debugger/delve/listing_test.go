//go:build linux

package delve

import (
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// everyGoroutine reads them page by page.
func everyGoroutine(t testing.TB, target *Target, count int) []debugger.Goroutine {
	t.Helper()
	var all []debugger.Goroutine
	for {
		page, more, err := target.Goroutines(t.Context(), debugger.Page{Start: len(all), Count: count})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
		if !more {
			return all
		}
	}
}

// counted is how many goroutines of the user's there are of each signature, by
// what they do where. Two signatures that read alike are a failure.
func counted(t testing.TB, all []debugger.Goroutine) map[string]int {
	t.Helper()
	counts, names := map[uint64]int{}, map[uint64]string{}
	for _, g := range all {
		if !g.System {
			counts[g.Signature]++
			names[g.Signature] = fmt.Sprintf("%s in %s from %s", g.WaitReason, g.User.Function, g.Start.Function)
		}
	}
	byName := map[string]int{}
	for signature, name := range names {
		if byName[name] > 0 {
			t.Errorf("two groups of %q", name)
		}
		byName[name] = counts[signature]
	}
	return byName
}

// The shapes of testdata/crowd, of ten goroutines.
var crowdShapes = map[string]int{
	"chan receive in main.worker from main.worker":                4,
	"chan send in main.producer from main.producer":               1,
	"select in main.listener from main.listener":                  2,
	"sleep in time.Sleep from main.sleeper":                       0, // in two, by how they were started
	"sync.Mutex.Lock in sync.(*Mutex).Lock from main.handleList":  1,
	"sync.Mutex.Lock in sync.(*Mutex).Lock from main.handleQuery": 1,
}

// A hundred thousand goroutines come page by page, and each with its stack's
// signature, channels, labels and time.
func TestHundredThousandGoroutines(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	const n = 100_000
	target := launch(t, "crowd", "crowd", fmt.Sprint(n))
	stop := resume(t, target, debugger.Continue)
	if stop.Goroutines < n {
		t.Errorf("the stop counts %d goroutines", stop.Goroutines)
	}
	all := everyGoroutine(t, target, 500)
	if target.Known.Listing.Plain {
		t.Fatal("the runtime's structures could not be read in bulk")
	}
	got := counted(t, all)
	for name, tenth := range crowdShapes {
		if tenth > 0 && got[name] != n/10*tenth {
			t.Errorf("%d goroutines %q, want %d, of %v", got[name], name, n/10*tenth, got)
		}
	}
	channels, tenants, ids := map[string]map[uint64]bool{}, map[string]int{}, map[debugger.GoroutineID]bool{}
	for _, g := range all {
		if ids[g.ID] {
			t.Fatalf("goroutine %d came twice", g.ID)
		}
		ids[g.ID] = true
		if g.Labels != nil {
			tenants[g.Labels["tenant"]]++
		}
		for _, c := range g.WaitsOn {
			if channels[g.User.Function] == nil {
				channels[g.User.Function] = map[uint64]bool{}
			}
			channels[g.User.Function][c] = true
		}
		if g.User.Function == "main.worker" && (g.Waited <= 0 || g.Waited > time.Hour) {
			t.Fatalf("%+v: waited %v", g, g.Waited)
		}
	}
	if want := map[string]int{"acme": n / 20, "globex": n / 20}; !maps.Equal(tenants, want) {
		t.Errorf("labels %v, want %v", tenants, want)
	}
	for function, want := range map[string]int{"main.worker": 1, "main.producer": 1, "main.listener": 2, "time.Sleep": 0} {
		if got := len(channels[function]); got != want {
			t.Errorf("%s waits on %d channels, want %d", function, got, want)
		}
	}
}

// Those that have ended keep their place in the runtime's list: pages must
// neither repeat nor leave out the living, and say of each what Delve says.
func TestPagesOfAThinnedCrowd(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "thinned", "400")
	resume(t, target, debugger.Continue)
	out, err := rpc.Call[rpc2.ListGoroutinesOut](t.Context(), target.srv.Client, "ListGoroutines", rpc2.ListGoroutinesIn{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[debugger.GoroutineID]debugger.Goroutine{}
	for _, g := range out.Goroutines {
		if one := goroutines.One(t.Context(), target.Lister, g); one.State != "dead" {
			want[one.ID] = one
		}
	}
	for _, plain := range []bool{false, true} {
		goroutines.CurrentListing(t.Context(), target.Lister).Plain = plain
		for _, count := range []int{7, 100, 5000} {
			target.Known.Listing.Pages = target.Known.Listing.Pages[:1]
			seen := map[debugger.GoroutineID]bool{}
			for _, g := range everyGoroutine(t, target, count) {
				if g.State == "dead" {
					continue
				}
				if seen[g.ID] {
					t.Fatalf("goroutine %d came twice", g.ID)
				}
				seen[g.ID] = true
				g.Signature, g.WaitsOn, g.Waited = 0, nil, 0
				if w := want[g.ID]; fmt.Sprintf("%+v", g) != fmt.Sprintf("%+v", w) {
					t.Fatalf("plain %v: goroutine %d\n got %+v\nwant %+v", plain, g.ID, g, w)
				}
			}
			if len(seen) != len(want) {
				t.Errorf("plain %v: %d goroutines in pages of %d, want %d", plain, len(seen), count, len(want))
			}
		}
	}
}

// A page of goroutines lets the read of a frame go ahead.
func TestPagesGiveWay(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "crowd", "10")
	resume(t, target, debugger.Continue)
	var order []string
	err := target.srv.DoInBackground(t.Context(), func(ctx context.Context, pause func() error) error {
		done := make(chan error, 1)
		go func() {
			done <- target.srv.Do(ctx, func(context.Context) error { order = append(order, "frame"); return nil })
		}()
		testsupport.Eventually(t, "the frame waits", func() bool { return target.srv.Urgent.Load() > 0 })
		if err := pause(); err != nil {
			return err
		}
		order = append(order, "page")
		return <-done
	})
	if want := []string{"frame", "page"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("%v, %v; want %v", order, err, want)
	}
}

func TestReadMany(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "crowd", "10")
	resume(t, target, debugger.Continue)
	c := goroutines.CurrentListing(t.Context(), target.Lister)
	end := mappingEnd(t, target.PID(), c.List)
	want := []memory.Span{{Addr: c.List + 64, Size: 8}, {Addr: 8, Size: 8}, {Addr: c.List, Size: 80}, {Addr: c.List + 1<<40, Size: 16}, {Addr: 0, Size: 0}, {Addr: c.List + 8, Size: 16}, {Addr: 16, Size: 8}, {Addr: end - 8, Size: 16}, {Addr: c.List, Size: memory.MaxRequest + 1}, {Addr: end - 8, Size: 8},
		{Addr: ^uint64(0) - 4, Size: 8}, {Addr: c.List, Size: 0}, {Addr: c.List + 16, Size: 8}}
	readable := []bool{true, false, true, false, false, true, false, false, false, true, false, false, true}
	pid := target.srv.PID
	read := map[string][][]byte{}
	for name, arrange := range map[string]func(){
		"directly":      func() { target.srv.PID, target.Indirect = pid, false },
		"through Delve": func() { target.srv.PID, target.Indirect = pid, true },
		"refused":       func() { target.srv.PID, target.Indirect = 1<<30, false },
	} {
		t.Run(name, func(t *testing.T) {
			arrange()
			got, err := memory.ReadMany(t.Context(), target.Reader, want)
			if err != nil {
				t.Fatal(err)
			}
			if target.Indirect != (name != "directly") {
				t.Error("it was read the other way")
			}
			for i, readable := range readable {
				if (got[i] != nil) != readable || readable && len(got[i]) != want[i].Size {
					t.Errorf("%d: %+v gave %d bytes", i, want[i], len(got[i]))
				}
			}
			if memory.Word(got[2], 64) != memory.Word(got[0], 0) || memory.Word(got[2], 8) != memory.Word(got[5], 0) {
				t.Error("the pieces do not agree")
			}
			read[name] = got
		})
	}
	target.srv.PID = pid
	if !reflect.DeepEqual(read["directly"], read["through Delve"]) || !reflect.DeepEqual(read["directly"], read["refused"]) {
		t.Errorf("the ways give different bytes: %x", read)
	}
}

// A process that Delve may switch from is read through Delve.
func TestSeveralProcessesAreReadThroughDelve(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "crowd", "10")
	resume(t, target, debugger.Continue)
	goroutines.CurrentListing(t.Context(), target.Lister)
	if target.Indirect {
		t.Error("one process is not read directly")
	}
	if err := target.FollowExec(t.Context(), true, ""); err != nil || !target.Indirect {
		t.Errorf("%v, indirect %v", err, target.Indirect)
	}
}

// What was learnt of one program at its launch does not hold for another that it
// starts.
func TestGoroutinesOfAChild(t *testing.T) {
	t.Parallel()
	const n = 500
	target := launchWith(t, Config{Binary: fixture(t, "execs"), Args: []string{fixture(t, "crowd"), "crowd", fmt.Sprint(n)}, Listing: true})
	if err := target.FollowExec(t.Context(), true, ""); err != nil {
		t.Fatal(err)
	}
	stop := resume(t, target, debugger.Continue)
	if stop.Reason != debugger.ReasonPanic {
		t.Fatalf("stopped for %q: %+v", stop.Reason, stop)
	}
	listed := len(everyGoroutine(t, target, 200))
	if stop.Goroutines < n || stop.Goroutines > 2*n || listed < n || listed > 2*n {
		t.Errorf("the stop counts %d goroutines, %d are listed", stop.Goroutines, listed)
	}
}

// More pieces, and more bytes, than the kernel takes in one call.
func TestReadDirectlyInPortions(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "crowd", "10")
	resume(t, target, debugger.Continue)
	c := goroutines.CurrentListing(t.Context(), target.Lister)
	var want []memory.Span
	for i := range 3000 {
		size := 8
		if i%20 == 0 {
			size = memory.MaxRequest
		}
		want = append(want, memory.Span{Addr: c.List, Size: size}, memory.Span{Addr: uint64(i + 1), Size: 8})
	}
	out := make([][]byte, len(want))
	if !target.ReadDirectly(want, out) {
		t.Fatal("not at all")
	}
	for i, b := range out {
		if odd := i%2 == 1; odd && b != nil || !odd && (len(b) != want[i].Size || memory.Word(b, 0) != memory.Word(out[0], 0)) {
			t.Fatalf("piece %d: %d bytes", i, len(b))
		}
	}
}

// mappingEnd is where the mapping of an address ends, if nothing follows it.
func mappingEnd(t *testing.T, pid int, addr uint64) uint64 {
	t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	end := uint64(0)
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var rights string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil {
			t.Fatal(err)
		}
		readable := rights[0] == 'r'
		if readable && (from <= addr && addr < to || from == end) {
			end = to
		}
	}
	if end == 0 {
		t.Fatalf("%#x is in no mapping", addr)
	}
	return end
}

// Who waits for a lock is read from the runtime.
func TestWaitsForLocks(t *testing.T) {
	t.Parallel()
	const n = 5000
	target := launch(t, "crowd", "crowd", fmt.Sprint(n))
	resume(t, target, debugger.Continue)
	waits, err := target.Waits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[debugger.GoroutineID]bool{}
	for _, g := range everyGoroutine(t, target, 500) {
		if g.WaitReason == "sync.Mutex.Lock" {
			want[g.ID] = true
		}
	}
	semaphores := map[uint64]bool{}
	for _, w := range waits {
		if !want[w.Goroutine] {
			t.Fatalf("goroutine %d does not wait for a lock", w.Goroutine)
		}
		delete(want, w.Goroutine)
		semaphores[w.Semaphore] = true
	}
	if len(waits) != n/5 || len(want) != 0 || len(semaphores) != 1 {
		t.Errorf("%d waits for %d semaphores, %d goroutines not told of", len(waits), len(semaphores), len(want))
	}
}

// Two goroutines that wait for each other's locks are found, and nobody else.
func TestCircleOfLocks(t *testing.T) {
	t.Parallel()
	target := launch(t, "crowd", "deadlock", "0")
	if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonFatal {
		t.Fatalf("%+v", stop)
	}
	found, err := waits.Find(t.Context(), target)
	if err != nil || len(found.Goroutines) != 2 {
		t.Fatalf("%v, %v", found, err)
	}
	if got := found.Sentence; !strings.HasSuffix(got, "wait for each other's locks: each has locked from.mu in main.transfer (main.go:105)") {
		t.Error(got)
	}
}

// What is read at the launch, before anything of the program has run, is what
// would be read at the stop.
func TestTheRuntimeIsLearntAtTheLaunch(t *testing.T) {
	t.Parallel()
	const n = 1000
	config := Config{Binary: fixture(t, "crowd"), Args: []string{"crowd", fmt.Sprint(n)}}
	late := launchWith(t, config)
	config.Listing = true
	early := launchWith(t, config)
	if late.Known.Layout != nil || early.Known.Layout == nil || len(early.Known.WaitReasons) == 0 {
		t.Fatalf("learnt at the launch: %v and %v, %d wait reasons", late.Known.Layout, early.Known.Layout, len(early.Known.WaitReasons))
	}
	var groups [2]map[string]int
	for i, target := range []*Target{late, early} {
		if stop := resume(t, target, debugger.Continue); stop.Goroutines < n {
			t.Errorf("the stop counts %d goroutines", stop.Goroutines)
		}
		groups[i] = counted(t, everyGoroutine(t, target, 200))
	}
	if !reflect.DeepEqual(late.Known.Layout, early.Known.Layout) || !slices.Equal(late.Known.WaitReasons, early.Known.WaitReasons) || !maps.Equal(groups[0], groups[1]) {
		t.Errorf("at the stop\n%+v\n%q\n%v\nat the launch\n%+v\n%q\n%v", late.Known.Layout, late.Known.WaitReasons, groups[0], early.Known.Layout, early.Known.WaitReasons, groups[1])
	}
}
