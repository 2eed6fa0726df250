package supervise

import (
	"fmt"
	"os"
	"strings"
)

// Resident is how much memory a process holds, in bytes; 0 where that is not known.
func Resident(pid int) int64 {
	held, _ := memoryIn(fmt.Sprintf("/proc/%d/status", pid))
	return held
}

// Available is how much memory programs can get before this machine swaps, in bytes; 0 where
// that is not known.
func Available() (bytes int64) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &bytes); err == nil {
			return bytes << 10
		}
	}
	return 0
}
