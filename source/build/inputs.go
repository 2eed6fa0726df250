package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pausetui/pausetui/internal/regular"
)

// environmentNames are the settings of `go env` that change what is built.
var environmentNames = []string{
	"GOVERSION", "GOROOT", "GOMODCACHE", "GOMOD", "GOWORK", "GOFLAGS", "GOOS", "GOARCH", "GOEXPERIMENT", "GOFIPS140",
	"GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
	"CGO_ENABLED", "CC", "CXX", "FC", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS", "PKG_CONFIG",
}

// Inputs returns a digest of every file and setting that a build of s is made
// from, under its overlay. Packages of the module cache count by version.
func Inputs(ctx context.Context, s Spec) (string, error) {
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return "", err
	}
	defer o.Close()
	in, err := gather(ctx, s, o)
	if err != nil {
		return "", err
	}
	return in.digest(s)
}

// inputs is what a build is made from, by name.
type inputs struct {
	pkgs []listed
	env  map[string]string
}

// gather asks the go command for packages and settings: at the same time, unless
// files that are not written yet are listed, which depends on the settings.
func gather(ctx context.Context, s Spec, o *overlay) (*inputs, error) {
	in := &inputs{}
	var err error
	if len(s.Overlay) > 0 {
		if in.env, err = settings(ctx, s); err != nil {
			return nil, err
		}
		in.pkgs, err = in.list(ctx, s, o)
		return in, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		in.pkgs, err = in.list(ctx, s, o)
		return err
	})
	group.Go(func() (err error) {
		in.env, err = settings(ctx, s)
		return err
	})
	return in, group.Wait()
}

// list lists the packages. Those of tests are listed all the same, and a new one
// changes nothing where no tests are built.
func (in *inputs) list(ctx context.Context, s Spec, o *overlay) ([]listed, error) {
	var fixed []string
	if len(s.Overlay) > 0 {
		fixed = fixedModules(s, in.env["GOFLAGS"])
	}
	pkgs, err := list(ctx, s, o, fixed)
	if !s.Test {
		for i := range pkgs {
			p := &pkgs[i]
			p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles = nil, nil, nil, nil
		}
	}
	return pkgs, err
}

// settings returns the values of environmentNames.
func settings(ctx context.Context, s Spec) (map[string]string, error) {
	var out bytes.Buffer
	stderr, ok, err := run(ctx, s, &out, append([]string{"env", "-json"}, environmentNames...)...)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	if !ok {
		if err := explain(s.Package, stderr); err != nil {
			return nil, err
		}
		why, _ := firstMessage(stderr)
		return nil, fmt.Errorf("read the go command's settings: %s", why)
	}
	if err := json.Unmarshal(out.Bytes(), &values); err != nil {
		return nil, fmt.Errorf("read the go command's settings: %w", err)
	}
	return values, nil
}

// files returns the files whose contents count, sorted and without doubles.
func (in *inputs) files() []string {
	var all []string
	for _, p := range in.pkgs {
		if !in.foreign(p) {
			all = append(all, p.files()...)
		}
		if m := p.Module; m != nil && !inside(in.env["GOMODCACHE"], m.GoMod) {
			all = append(all, m.GoMod, strings.TrimSuffix(m.GoMod, ".mod")+".sum")
		}
	}
	if mod := in.env["GOMOD"]; mod != "" && mod != os.DevNull {
		all = append(all, mod, strings.TrimSuffix(mod, ".mod")+".sum", filepath.Join(filepath.Dir(mod), "vendor", "modules.txt"))
	}
	if work := in.env["GOWORK"]; work != "" && work != "off" {
		all = append(all, work, work+".sum", filepath.Join(filepath.Dir(work), "vendor", "modules.txt"))
	}
	slices.Sort(all)
	return slices.Compact(slices.DeleteFunc(all, func(f string) bool { return f == "" || f == ".sum" }))
}

// foreign packages are recognized by their version: they lie in the module
// cache or in the toolchain. The main program made up for tests follows from
// the test files.
func (in *inputs) foreign(p listed) bool {
	return p.Standard || p.testMain() || p.Dir == "" || inside(in.env["GOMODCACHE"], p.Dir)
}

func inside(dir, file string) bool {
	return dir != "" && strings.HasPrefix(file, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// digest hashes names and contents. Files that do not exist count as such: one
// that appears later changes the digest.
func (in *inputs) digest(s Spec) (string, error) {
	h := sha256.New()
	say(h, "pausetui build 1", s.Package, fmt.Sprint(s.Test, s.Race), s.Tags, s.Dir)
	say(h, arguments(s)...)
	for _, name := range environmentNames {
		say(h, name, in.env[name])
	}
	for _, p := range in.pkgs {
		say(h, "package", p.ImportPath, p.version())
	}
	for _, file := range in.files() {
		if err := hashFile(h, s.Overlay, file); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// version names the module a package comes from, with what replaces it.
func (p listed) version() string {
	if p.Module == nil {
		return ""
	}
	v := p.Module.Path + "@" + p.Module.Version
	if r := p.Module.Replace; r != nil {
		v += " => " + r.Path + "@" + r.Version
	}
	return v
}

func hashFile(h hash.Hash, replaced map[string]string, file string) error {
	if text, ok := replaced[file]; ok {
		fmt.Fprintf(h, "file\x00%d\x00%s\x00%d\x00%s", len(file), file, len(text), text)
		return nil
	}
	f, err := regular.Open(file)
	if os.IsNotExist(err) {
		say(h, "absent", file)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read build input %q: %w", file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read build input %q: %w", file, err)
	}
	fmt.Fprintf(h, "file\x00%d\x00%s\x00%d\x00", len(file), file, info.Size())
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("read build input %q: %w", file, err)
	}
	return nil
}

// say adds texts to the hash, each with its length, so that none runs into the
// next.
func say(h hash.Hash, texts ...string) {
	for _, t := range texts {
		fmt.Fprintf(h, "%d\x00%s\x00", len(t), t)
	}
}
