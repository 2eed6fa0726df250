package execute

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// TestToolchainsElsewhere: a compiler outside of the system directories finds its parts.
func TestToolchainsElsewhere(t *testing.T) {
	top := testsupport.TempDir(t)
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"cross/bin/x-linux-gcc", "cross/lib/gcc/x", "cross/x-linux/include/x.h", "zig/zig", "bin/cc", "lib/own", "home/lib/x", "libs/x",
		"home/tool", "home/bin/gcc", "home/lib/gcc/x", "lib/clang/x", "home/zig/zig"} {
		testsupport.Write(t, at(name), "")
	}
	if err := os.Symlink(at("cross/bin/x-linux-gcc"), at("gcc")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", at("home"))
	for compiler, want := range map[string][]string{
		"cross/bin/x-linux-gcc": {"cross/bin/x-linux-gcc", "cross/bin/lib", "cross/bin", "cross/lib", "cross/lib64", "cross/libexec", "cross/include", "cross/x-linux"},
		"zig/zig":               {"zig/zig", "zig/lib"},
		"bin/cc":                {"bin/cc", "bin/lib"}, // the home directory is next to it
		"home/tool":             {"home/tool"},
		"home/bin/gcc":          {"home/bin/gcc", "home/bin/lib"},
		"home/zig/zig":          {"home/zig/zig", "home/zig/lib"},
	} {
		for i, w := range want {
			want[i] = at(w)
		}
		if got := toolchain(at(compiler)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", compiler, got, want)
		}
	}
	if got := toolchain(at("gcc")); !slices.Contains(got, at("gcc")) || !slices.Contains(got, at("cross/lib")) {
		t.Errorf("by a link: %q", got)
	}
	for _, name := range pathsOfRuns {
		t.Setenv(name, "")
	}
	t.Setenv("LD_LIBRARY_PATH", at("home")+":"+top+":/::relative:"+at("home/lib")+":"+at("libs"))
	if got := pathsIn(pathsOfRuns); !slices.Equal(got, []string{at("home/lib"), at("libs")}) {
		t.Errorf("%q", got)
	}
}
