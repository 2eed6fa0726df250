package execute

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// namer is a server that names variables in the ways in which programs do.
var namer = map[string]string{
	"go.mod": "module shop\n\ngo 1.26\n\nrequire example.org/cloud v1.0.0\n",
	"main.go": `package main

import (
	"net/http"
	"os"

	"example.org/cloud"
	"shop/settings"
)

// QUOTED_IN_COMMENT: "QUOTED_IN_COMMENT"

var dsn = os.Getenv("SHOP_" + "DSN")

func main() {
	println(os.ExpandEnv("$DATA_DIR/shop.db"))
	println(dsn, cloud.Region(), len(settings.Prefix), cloud.Keywords[0], settings.Get("queue.url"))
	println(http.ListenAndServe("bad", nil))
}
`,
	"settings/settings.go": "package settings\n\nimport \"os\"\n\nconst Prefix = \"BASKET_\"\n\ntype Config struct {\n\tMode string `env:\"SHOP_MODE,required\"`\n}\n\n" +
		"func AutomaticEnv() {}\n\nfunc SetEnvPrefix(string) {}\n\nfunc init() { SetEnvPrefix(\"till\") }\n\nfunc Get(name string) string { return os.Getenv(Prefix + name) }\n",
	".hidden/x.go":       "package x\n\nvar key = \"CLOUD_KEY\"\n",
	"notes.txt":          "\"CLOUD_KEY\" $CLOUD_KEY",
	"etc/shop.yaml":      "queue: ${QUEUE_HOST}:1\nkey: CLOUD_KEY\n",
	"etc/shop.c":         "int port(void) { return atoi(getenv(\"C_PORT\")); }\n",
	"vendor/modules.txt": "# example.org/cloud v1.0.0\n## explicit; go 1.26\nexample.org/cloud\n",
	"vendor/example.org/cloud/cloud.go": "package cloud\n\nimport \"os\"\n\nimport \"example.org/cloud/sql\"\n\nconst region = \"CLOUD_REGION\"\n\nvar Keywords = sql.Keywords\n\n" +
		"//go:noinline\nfunc Region() string { return os.Getenv(region) }\n",
	"vendor/example.org/cloud/sql/sql.go": "package sql\n\nvar Keywords = words(\"KEY\", \"PASSWORD\")\n\n//go:noinline\nfunc words(list ...string) []string { return list }\n",
}

// Names count where they are whole texts of a program's source, or of a package that it
// is linked from and that reads the environment. Every server has KEY, PASSWORD and
// HTTP_PROXY as parts of its constants.
func TestVariablesThatTheProgramDoesNotNameAreWithheld(t *testing.T) {
	root := t.TempDir()
	namer["vendor/modules.txt"] += "example.org/cloud/sql\n"
	for name, text := range namer {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(root, "program")
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=vendor", "-buildvcs=false", "-o", binary, ".")
	build.Dir, build.Env = root, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	given := []string{"PATH=/bin", "LC_ALL=C", "SHOP_DSN=db", "SHOP_MODE=fast", "BASKET_SIZE=1", "TILL_PORT=1", "QUEUE_URL=x", "CLOUD_REGION=eu", "DATA_DIR=d", "QUEUE_HOST=h", "C_PORT=1", "LD_LIBRARY_PATH=/l", "GIVEN=1", "ALLOWED_X=1", "REPLAY=1"}
	withheld := []string{"CLOUD_KEY", "SSH_AUTH_SOCK", "KEY", "PASSWORD", "HTTP_PROXY", "HTTPS_PROXY", "SHOP", "DSN", "PRIVATE", "ROOT", "QUOTED_IN_COMMENT", "PLAY"}
	env := slices.Clone(given)
	for _, name := range withheld {
		env = append(env, name+"=secret")
	}
	v := New(subject.Subject{Binary: binary,
		Workspace: workspace.Workspace{Root: root, Modules: []workspace.Module{{Path: "shop", Dir: root, Main: true}}},
		Run:       subject.Run{Env: env, Given: []string{"GIVEN=1"}, Repro: repro.Plan{Command: "curl -d $REPLAY localhost"}}},
		Options{Allow: []string{verdict.AllowEnv + "ALLOWED_*"}})
	got, err := v.environment(t.Context(), env)
	if err != nil || !slices.Equal(got, given) {
		t.Errorf("%v: %q, want %q", err, got, given)
	}
	if names := v.withheld(); !slices.Equal(names, withheld) {
		t.Errorf("withheld %q", names)
	}
}

// TestWhoSendsARequestNamesNoVariables: a client on the network writes the request that a
// server is stopped by, and that its proof repeats.
func TestWhoSendsARequestNamesNoVariables(t *testing.T) {
	root := t.TempDir()
	for captured, want := range map[bool][]string{true: nil, false: {"VAULT=secret"}} {
		v := New(subject.Subject{Workspace: workspace.Workspace{Root: root},
			Run: subject.Run{Env: []string{"VAULT=secret"}, Repro: repro.Plan{Command: "curl 'localhost/?a=VAULT'", Captured: captured}}}, Options{})
		if got, err := v.environment(t.Context(), v.Subject.Run.Env); err != nil || !slices.Equal(got, want) {
			t.Errorf("captured %v: %v, %q", captured, err, got)
		}
	}
}

// TestModulesElsewhereNameNoVariables, and are not shown: a go.mod may name any module.
func TestModulesElsewhereNameNoVariables(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	nested := filepath.Join(root, "nested") // a module of its own
	for _, dir := range []string{other, nested, filepath.Join(root, "testdata"), filepath.Join(root, "_left")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n\nvar _ = \"VAULT\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(nested, "go.mod"), []byte("module nested\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := workspace.Workspace{Root: root, Modules: []workspace.Module{{Path: "m", Dir: root, Main: true}, {Path: "x", Dir: other, ReadOnly: true}}}
	v := New(subject.Subject{Workspace: w, Run: subject.Run{Env: []string{"VAULT=secret"}}}, Options{})
	s, err := v.confine(t.Context(), sandbox.Spec{Env: v.Subject.Run.Env})
	if err != nil || len(s.Env) > 0 || slices.Contains(s.Readable, other) || !slices.Equal(s.Throwaway, []string{root}) {
		t.Errorf("%v: %q, %q, %q", err, s.Env, s.Readable, s.Throwaway)
	}
}
