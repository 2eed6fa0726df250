package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// TestWhatAnArgumentGives: a person names files for the program to read. What a link of the
// repository makes of a name, and secrets, they do not give.
func TestWhatAnArgumentGives(t *testing.T) {
	top := testsupport.TempDir(t)
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"home/data", "home/.ssh/id_rsa", "home/.config/gh/hosts.yml", "home/.config/app.toml", "home/repo/own", "home/repo/sub/own", "private/p"} {
		testsupport.Write(t, at(name), "text")
	}
	for link, to := range map[string]string{"home/repo/key": "../.ssh/id_rsa", "home/repo/out": "../data", "home/repo/dir": "../../private", "home/repo/in": "own", "linked": "home", "home/named": "data"} {
		if err := os.Symlink(filepath.FromSlash(to), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", at("linked")) // the person's home directory is reached through a link
	dir := at("home/repo")
	for path, want := range map[string]string{
		"own": at("home/repo/own"), "sub/own": at("home/repo/sub/own"), "../data": at("home/data"), at("home/data"): at("home/data"), at("private/p"): at("private/p"),
		at("linked/data"): at("home/data"), at("linked/.config/app.toml"): at("home/.config/app.toml"),
		"key": "", "out": "", "in": "", "dir/p": "", "dir/../data": "", at("linked/named"): "", at("linked/repo/out"): "", at("linked/.ssh/id_rsa"): "", at("linked/.config/gh/hosts.yml"): "",
		"": "", "none": "", "sub": "", "/etc/shadow": "", "/etc/shadow-": "", "/dev/null": "", "/": "",
	} {
		if got, ok := Named(path, dir); got != want && ok || ok != (want != "") {
			t.Errorf("%q gives %q, %v; want %q", path, got, ok, want)
		}
	}
	logs, err := filepath.Glob("/var/log/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range logs {
		if got, ok := Named(file, dir); ok {
			t.Errorf("%q gives %q", file, got)
		}
	}
	if got, ok := Named(filepath.Join("..", "linked", "data"), at("linked")); !ok || got != at("home/data") {
		// ".." of a directory that is a link is taken by its name, as shells do
		t.Errorf("from a directory that is a link: %q, %v", got, ok)
	}
}
