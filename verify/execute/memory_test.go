package execute

import (
	"testing"

	"github.com/pausetui/pausetui/verify/subject"
)

// A limit of memory that the machine's own end would come before is no limit.
func TestALimitOfMemoryIsOneThatCanBeEnforced(t *testing.T) {
	for _, one := range []struct{ limit, machine, want int64 }{
		{0, 8 << 30, 0}, {1 << 30, 8 << 30, 1 << 30}, {64 << 30, 8 << 30, 8 << 30}, {1 << 30, 0, 1 << 30}, {-1, 8 << 30, 0},
	} {
		if got := enforceable(one.limit, one.machine); got != one.want {
			t.Errorf("%d on a machine with %d: %d, want %d", one.limit, one.machine, got, one.want)
		}
	}
	v := New(subject.Subject{}, Options{BuildMemory: 1 << 30, Memory: 1 << 29})
	if l := v.compilerLimits(); l.Memory != min(1<<30, machineMemory()) || v.memory() != min(1<<29, machineMemory()) {
		t.Errorf("a build has %d bytes, a run %d", l.Memory, v.memory())
	}
}
