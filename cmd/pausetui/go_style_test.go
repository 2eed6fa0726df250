package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/arguments"
)

func TestGoStyle(t *testing.T) {
	for args, want := range map[string]string{
		"test ./store -run TestLoad -v":                     "test ./store -- -run TestLoad -v",
		"test -race -run=Load ./store -count 3 -- -short x": "test --race ./store -- -run=Load -count 3 -short x",
		"test --run Load --offline":                         "test --offline -- --run Load",
		"test -tags integration . -bench . -benchmem":       "test --tags integration . -- -bench . -benchmem",
		"test --build-flags -run . -- -run X":               "test --build-flags -run . -- -run X",
		"test . -unknown":                                   "test . -unknown",
		"test -run":                                         "test -- -run",
		"test -h":                                           "test -h",
		"debug -race ./cmd/app -- -run x":                   "debug --race ./cmd/app -- -run x",
		"debug . -run x":                                    "debug . -run x",
		"debug -wd=/tmp . --":                               "debug --wd=/tmp . --",
		"fix --test -run Load -timeout 9s .":                "fix --test --timeout 9s . -- -run Load",
		"fix -test -run Load .":                             "fix --test . -- -run Load",
		"fix . -run x":                                      "fix . -run x",
		"__complete test -run":                              "__complete test -run",
		"nonsense -race":                                    "nonsense -race",
		"":                                                  "",
	} {
		if got := arguments.GoStyle(newRoot(), strings.Fields(args)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
