package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Entry is one request of the log.
type Entry struct {
	Client, Method, Path string
	Status               int
	Bytes                int
}

// Malformed is a line that is no entry.
type Malformed struct {
	Line int // from 1
	Err  error
}

// parse reads a line: client, method, path, status and bytes.
func parse(line string) (Entry, error) {
	fields := strings.Fields(line)
	if len(fields) != 5 {
		return Entry{}, fmt.Errorf("want 5 fields, have %d", len(fields))
	}
	status, err := strconv.Atoi(fields[3])
	if err != nil || status < 100 || status > 599 {
		return Entry{}, fmt.Errorf("%q is no status", fields[3])
	}
	bytes, err := strconv.Atoi(fields[4])
	if err != nil || bytes < 0 {
		return Entry{}, fmt.Errorf("%q is no size", fields[4])
	}
	return Entry{
		Client: fields[0],
		Method: fields[1],
		Path:   fields[2],
		Status: status,
		Bytes:  bytes,
	}, nil
}
