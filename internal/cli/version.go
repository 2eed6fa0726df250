package cli

import "runtime/debug"

// version is set by the release build (.goreleaser.yaml).
var version = ""

// Version is the version of this program.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
