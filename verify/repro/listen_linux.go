package repro

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/supervise"
)

// Listens reports whether this system can say which ports a program listens on.
const Listens = true

// Ports returns the TCP ports that a process and those below it listen on.
func Ports(pid int) []int {
	return localPorts(pid, func(state string) bool { return state == listens })
}

// connects reports whether a process, or one below it, has a TCP connection from that
// port.
func connects(pid, port int) bool {
	return slices.Contains(localPorts(pid, func(state string) bool { return state != listens }), port)
}

// listens is the state of a socket that waits for connections.
const listens = "0A"

// localPorts returns the TCP ports of the sockets of a process, and those below it,
// that are in such a state.
func localPorts(pid int, in func(state string) bool) []int {
	var ports []int
	family := append([]int{pid}, supervise.Descendants(pid)...)
	for _, p := range family {
		own := sockets(p)
		if len(own) == 0 {
			continue
		}
		for _, table := range []string{"tcp", "tcp6"} {
			f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", p, table))
			if err != nil {
				continue // gone meanwhile
			}
			for _, port := range localIn(f, own, in) {
				if !slices.Contains(ports, port) {
					ports = append(ports, port)
				}
			}
			_ = f.Close()
		}
	}
	return ports
}

// sockets returns the inodes of a process's sockets.
func sockets(pid int) map[string]bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, e := range entries {
		link, err := os.Readlink(dir + "/" + e.Name())
		if inode, ok := strings.CutPrefix(link, "socket:["); err == nil && ok {
			found[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return found
}

// localIn reads the ports of those sockets among own that are in such a state from
// a table of the kernel's: "sl local_address rem_address st … inode …", addresses as
// "0100007F:1F90", all in hexadecimal but the inode.
func localIn(table io.Reader, own map[string]bool, in func(state string) bool) []int {
	const address, state, inode = 1, 3, 9
	var ports []int
	for scanner := bufio.NewScanner(table); scanner.Scan(); {
		fields := strings.Fields(scanner.Text())
		if len(fields) <= inode || !in(fields[state]) || !own[fields[inode]] {
			continue
		}
		_, hex, _ := strings.Cut(fields[address], ":")
		if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
			ports = append(ports, int(port))
		}
	}
	return ports
}
