package build

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

var (
	// ErrNoGo is returned when there is no go command in PATH.
	ErrNoGo = errors.New("no go command in PATH")
	// ErrNoModule is returned when the directory is not inside a module.
	ErrNoModule = errors.New("not inside a Go module")
	// ErrNoPackage is returned when the named package does not exist.
	ErrNoPackage = errors.New("no such package")
	// ErrNotMain is returned when the named package is not a command.
	ErrNotMain = errors.New("not a command")
	// ErrManyPackages is returned when the pattern matches more than one package.
	ErrManyPackages = errors.New("more than one package")
	// ErrNoTests is returned by a test build of a package without test files.
	ErrNoTests = errors.New("no test files")
	// ErrGoVersion is returned when go.mod or go.work asks for a Go version that is not at hand.
	ErrGoVersion = errors.New("another Go version is required")
)

// problem recognizes what the go command says before it compiles anything.
type problem struct {
	pattern *lazyregexp.Regexp
	err     error
	hint    string
}

var problems = []problem{
	{lazyregexp.New(`requires go >= |toolchain not available|toolchain .* not available|cannot compile Go 1\.|download go1\.\S+ for|invalid toolchain`), ErrGoVersion,
		"install the Go version that go.mod names, or set GOTOOLCHAIN=auto and be online"},
	{lazyregexp.New(`go\.mod file not found|cannot find main module|working directory is not part of a module|cannot match ".*": go\.mod`), ErrNoModule,
		"change to a directory with a go.mod above it, or run `go mod init NAME`"},
	{lazyregexp.New(`directory not found|no such file or directory|outside main module or its selected dependencies|outside modules listed in go\.work|no required module provides package [^;]*$|is not in std|no Go files in|malformed import path|matched no packages|cannot find package|module .* provides package|build constraints exclude all Go files`), ErrNoPackage,
		"name a directory (./cmd/app) or an import path; `go list ./...` shows what there is"},
}

// explain turns the go command's words into a typed error with a hint; nil
// when they are nothing it knows.
func explain(pkg, text string) error {
	for _, p := range problems {
		if p.pattern.MatchString(text) {
			return noted(pkg, p.err, text, p.hint)
		}
	}
	return nil
}

// noted is an error with the go command's words. Where they name the command that
// helps, that is the hint; but a package that is not required is mostly misspelled.
func noted(pkg string, err error, text, hint string) error {
	message, command := firstMessage(text)
	if command != "" && !strings.HasPrefix(command, "go get ") {
		hint = "run `" + command + "`"
	}
	return advice.Add(fmt.Errorf("build %q: %w: %s", pkg, err, message), hint)
}

// firstMessage returns the first message with the indented lines below it, without
// "go: ", and the command of the go command's that it ends with, if any.
func firstMessage(text string) (message, command string) {
	for line := range strings.Lines(text) {
		indented := strings.HasPrefix(line, "\t")
		line = strings.TrimSpace(line)
		if message != "" {
			if !indented {
				break
			}
			message += " " + line
			if command = ""; strings.HasPrefix(line, "go ") {
				command = line
			}
			continue
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			message = strings.TrimPrefix(line, "go: ")
		}
	}
	if message == "" {
		message = "the go command printed nothing"
	}
	return message, command
}

// startError explains why the go command did not run at all.
func startError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return advice.Add(ErrNoGo, "install Go (https://go.dev/dl) and put its bin directory into PATH")
	}
	return fmt.Errorf("start the go command: %w", err)
}
