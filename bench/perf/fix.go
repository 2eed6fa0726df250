package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// fix: what it takes to propose and prove, against what a person must do to try an edit.
func (b bench) fix() ([]two, error) {
	if err := b.edit(); err != nil {
		return nil, err
	}
	cmd := exec.Command(b.tool, "fix", "--offline", "--json", ".")
	cmd.Dir = b.dir
	ours, oursWall, err := spent(cmd)
	if err != nil {
		return nil, err
	}
	if err := b.edit(); err != nil {
		return nil, err
	}
	var hand, handWall float64
	binary := filepath.Join(b.dir, "..", "by-hand")
	for _, args := range [][]string{{"go", "build", "-o", binary, "."}, {binary}, {"go", "vet", "."}, {"go", "test", "."}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = b.dir
		processor, wall, err := spent(cmd)
		if err != nil {
			return nil, err
		}
		hand, handWall = hand+processor, handWall+wall
	}
	return []two{{ours, hand}, {oursWall, handWall}}, os.Remove(filepath.Join(b.dir, edited))
}

// firstVerified: from the stop to the first fix that has passed its checks.
func (b bench) firstVerified() ([]two, error) {
	marks, err := b.marked("verified", nil)
	return []two{{(marks["verified"] - marks["stopped"]).Seconds(), 0}}, err
}

// edited is a file that makes the package one that was never built.
const edited = "edited.go"

func (b bench) edit() error {
	name := filepath.Join(b.dir, edited)
	return os.WriteFile(name, fmt.Appendf(nil, "package main\n\nvar edited = %d\n\nfunc init() { edited++ }\n", time.Now().UnixNano()), 0o600)
}
