//go:build !linux

package main

import (
	"context"
	"errors"
	"io"
)

func campaign(context.Context, options, io.Writer) (failed int, err error) {
	return 0, errors.New("faults are injected on Linux only")
}

func one(string) int { return 2 }

func scenarioNames() []string { return nil }
