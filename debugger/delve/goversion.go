package delve

import (
	"fmt"
	"go/version"

	"github.com/go-delve/delve/pkg/goversion"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/advice"
)

// goVersionError says which version built the binary, and which would do.
func goVersionError(binary string) error {
	built := "an unknown version of Go"
	if info, err := exeinfo.Build(binary); err == nil {
		built = info.GoVersion
	}
	err := fmt.Errorf("launch %q: built by %s, this debugger knows go%d.%d to go%d.%d: %w", binary, built,
		goversion.MinSupportedVersionOfGoMajor, goversion.MinSupportedVersionOfGoMinor,
		goversion.MaxSupportedVersionOfGoMajor, goversion.MaxSupportedVersionOfGoMinor, debugger.ErrGoVersion)
	return advice.Add(err, "build with a Go version in that range, or continue unchecked")
}

// GoVersions are the oldest and the newest version of Go whose programs can be
// debugged: "go1.25", "go1.27".
func GoVersions() (oldest, newest string) {
	return fmt.Sprintf("go%d.%d", goversion.MinSupportedVersionOfGoMajor, goversion.MinSupportedVersionOfGoMinor),
		fmt.Sprintf("go%d.%d", goversion.MaxSupportedVersionOfGoMajor, goversion.MaxSupportedVersionOfGoMinor)
}

// oldFloats reports whether the target was built before Go 1.26, whose print
// statement writes floats differently.
func (ps *panics) oldFloats() bool {
	info, err := exeinfo.Build(ps.config.Binary)
	return err == nil && version.Compare(info.GoVersion, "go1.26rc1") < 0
}
