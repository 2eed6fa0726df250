package execute

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
)

// A sandbox shows the directories of the system, in which compilers and libraries mostly
// are. Where others are is said by the person's own environment: not by that of a run,
// which a repository's configuration of an editor may set.
var (
	pathsOfBuilds = []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH"}
	pathsOfRuns   = []string{"LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "ZONEINFO"}
)

// pathsIn lists what those variables of this process name, but for the home directory and
// what that lies in.
func pathsIn(variables []string) []string {
	var paths []string
	for _, name := range variables {
		for _, path := range filepath.SplitList(os.Getenv(name)) {
			if filepath.IsAbs(path) && !holdsHome(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// holdsHome reports whether a directory is the home directory, or that lies in it.
func holdsHome(dir string) bool {
	home, _ := os.UserHomeDir() // without one there is nothing to spare
	return home != "" && regular.Within(dir, home) == nil
}

// toolchain is a compiler with its parts, where it is installed on its own: PREFIX/bin has
// the compiler, and lib, libexec and the directory of the target are next to that. Some
// have their lib next to the compiler. In the home directory itself, these are the person's
// own, whatever a run calls its compiler.
func toolchain(compiler string) []string {
	real, err := filepath.EvalSymlinks(compiler)
	if err != nil {
		return nil
	}
	bin := filepath.Dir(real)
	prefix := filepath.Dir(bin)
	paths := []string{compiler}
	if !holdsHome(bin) {
		paths = append(paths, filepath.Join(bin, "lib"))
	}
	if holdsHome(prefix) {
		return paths
	}
	for _, part := range []string{"gcc", "clang"} {
		if _, err := os.Stat(filepath.Join(prefix, "lib", part)); err != nil {
			continue
		}
		for _, dir := range []string{"bin", "lib", "lib64", "libexec", "include"} {
			paths = append(paths, filepath.Join(prefix, dir))
		}
		if target, _, cross := strings.Cut(filepath.Base(real), "-"+part); cross {
			paths = append(paths, filepath.Join(prefix, target))
		}
	}
	return paths
}
