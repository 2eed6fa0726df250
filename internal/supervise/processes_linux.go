package supervise

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Process is a line of the process table.
type Process struct {
	ID, Parent int
	Resident   int64 // bytes
}

// Processes reads the process table of this namespace; none if it cannot be read.
func Processes() []Process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []Process
	buffer := make([]byte, 4096)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		fields := statFields("/proc/"+name+"/stat", buffer)
		if len(fields) < 22 {
			continue // gone meanwhile
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		all = append(all, Process{ID: pid, Parent: parent, Resident: pages * int64(os.Getpagesize())})
	}
	return all
}

// statFields are the fields of a stat file in /proc after the command's name,
// which is in parentheses and may hold anything; none when the process is gone.
// It is read past package os, whose poller would cost more than the file: there
// are many, and they are read often.
func statFields(path string, buffer []byte) [][]byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	n, err := unix.Read(fd, buffer)
	if err != nil {
		return nil
	}
	return bytes.Fields(buffer[bytes.LastIndexByte(buffer[:n], ')')+1 : n])
}
