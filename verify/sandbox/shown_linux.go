package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// systemDirs are the directories of a machine that compilers and programs need. In no
// tier does a program see anything else of it but what the spec names: nobody can list
// all the directories in which people keep their own files.
var systemDirs = []string{"/usr", "/usr/local", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/proc", "/sys",
	"/nix", "/gnu", "/snap", "/var/lib/ca-certificates"}

// hiddenDirs are those that show up empty, even in a directory of the machine that is
// shown. A directory that holds one of these stays, as does what the spec names.
func hiddenDirs(o order) []string {
	system := resolved(systemDirs)
	return slices.DeleteFunc(resolved(append(commonDirs(), tempDirs(o.Env)...)), func(d string) bool {
		return slices.ContainsFunc(system, func(s string) bool { return within(d, s) }) ||
			slices.ContainsFunc(o.Readable, func(r string) bool { return within(r, d) })
	})
}

// tempDirs are the directories of temporary files that an environment names.
func tempDirs(env []string) []string {
	var dirs []string
	for _, kv := range env {
		if name, dir, _ := strings.Cut(kv, "="); name == "TMPDIR" && filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// masked lists the secrets of this machine and of the home directory, where they lie in
// what is shown, but for those that the spec names themselves.
func masked(o order) []string {
	home, _ := os.UserHomeDir() // without one it has no secrets
	named := slices.Concat(o.Readable, o.Throwaway)
	shown := append(resolved(systemDirs), named...)
	paths := hiddenSystem(named)
	for _, s := range secrets {
		paths = append(paths, filepath.Join(home, s))
	}
	return slices.DeleteFunc(resolved(paths), func(p string) bool {
		return slices.ContainsFunc(named, func(n string) bool { return within(p, n) }) ||
			!slices.ContainsFunc(shown, func(d string) bool { return within(d, p) })
	})
}

// topPaths lists what lies in the root.
func topPaths() []string {
	paths, _ := filepath.Glob("/*") // the pattern is ours
	return paths
}

// ways are the symbolic links on the ways to the paths, each by its real path.
func ways(paths []string) map[string]string {
	const most = 40 // on one way, as for the kernel
	links := map[string]string{}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			continue
		}
		at, ahead := "/", strings.Split(path, "/")
		for followed := 0; len(ahead) > 0 && followed < most; {
			at, ahead = filepath.Join(at, ahead[0]), ahead[1:] // at has no links: ".." is what it seems
			target, err := os.Readlink(at)
			if err != nil {
				continue
			}
			links[at] = target
			ahead = append(strings.Split(target, "/"), ahead...)
			if at, followed = filepath.Dir(at), followed+1; filepath.IsAbs(target) {
				at = "/"
			}
		}
	}
	return links
}
