package behavior

import (
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// isLock reports whether a value is a lock of package sync.
func isLock(n replay.Node) bool { return n.Type == "sync.Mutex" || n.Type == "sync.RWMutex" }

// lockWords say whether a lock is locked. Who waits for it is not compared.
func lockWords(n replay.Node) string {
	if state, _ := field(n, "state"); state&1 != 0 {
		return "locked"
	}
	if readers, _ := field(n, "readerCount", "v"); readers > 0 {
		return "locked for reading"
	}
	return "unlocked"
}

// field is the number in a field, however deep, of a value.
func field(n replay.Node, names ...string) (int64, bool) {
	for i, part := range n.Nodes {
		if i < len(n.Names) && n.Names[i] == names[0] {
			if len(names) > 1 {
				return field(part, names[1:]...)
			}
			number, err := strconv.ParseInt(strings.TrimSpace(part.Text), 10, 64)
			return number, err == nil
		}
		if number, ok := field(part, names...); ok {
			return number, true
		}
	}
	return 0, false
}
