//go:build !race

package reexec

var detector []string

const plain = ""
