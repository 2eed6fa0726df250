package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/debugger"
)

// TestAModuleFormatsItsOwnTypesOnly: it shows no value of another type as it is not, nor
// one that the user hides.
func TestAModuleFormatsItsOwnTypesOnly(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	root := t.TempDir()
	put(t, UserFile(), "[formats]\n\"*.Key\" = \"hide\"\n")
	put(t, filepath.Join(root, "go.mod"), "module example.com/shop\n\nrequire example.com/shop/bought v1.0.0\n")
	put(t, filepath.Join(root, "go.work"), "go 1.26\nuse (\n\t.\n\t./tools\n\t../other\n)\n")
	put(t, filepath.Join(root, "tools", "go.mod"), "module time\n")
	put(t, filepath.Join(root, "..", "other", "go.mod"), "module example.com/other\n")
	put(t, ModuleFile(root), `[formats]
"int" = "{{}}0"
"*t*" = "{{}}0"
"*e*" = "{{}}0"
"example.com/shop.Key" = "{}"
`)
	c, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	formats, err := c.Format()
	if err != nil {
		t.Fatal(err)
	}
	for typ, want := range map[string]string{
		"int": "", "string": "", "time.Month": "", "example.com/other.Time": "", "example.com/shopping.Time": "", "example.com/shop/bought/inner.Time": "", "[]main.Time": "", "encoding/hex.InvalidByteError": "",
		"main.Time": "{}0", "example.com/shop.Time": "{}0", "example.com/shop/a/b.Set[int]": "{}0", "example.com/shop.Key": "(hidden)",
	} {
		got, _ := formats.Describe(t.Context(), nil, debugger.Variable{Type: typ, FullType: typ, Kind: reflect.Int, Value: "7"})
		if !strings.HasPrefix(got.Text, want) || want == "" && strings.Contains(got.Text, "{}0") {
			t.Errorf("%s: %q, want %q", typ, got.Text, want)
		}
	}
}

// TestFormatsOfAModuleAreBounded: what a repository says takes neither memory nor time.
func TestFormatsOfAModuleAreBounded(t *testing.T) {
	for _, text := range []string{`"{:1000d}"`, `"{:.1000f}"`, `"` + strings.Repeat("{}", 501) + `"`} {
		c, err := loaded(t, "", "[formats]\n\"main.T\" = "+text+"\n")
		if err == nil {
			_, err = c.Format()
		}
		if err == nil {
			t.Errorf("%.20s… is read", text)
		}
	}
	c, err := loaded(t, "", "[formats]\n\"main.T\" = \""+strings.Repeat("{:999d}", 140)+"\"\n")
	if err != nil {
		t.Fatal(err)
	}
	formats, err := c.Format()
	if err != nil {
		t.Fatal(err)
	}
	got, err := formats.Describe(t.Context(), nil, debugger.Variable{Type: "main.T", Kind: reflect.Int, Value: "7"})
	if err != nil || len(got.Text) > 5000 || !strings.HasSuffix(got.Text, "…") {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
	var many strings.Builder
	for i := range maxFormats + 1 {
		fmt.Fprintf(&many, "\"main.T%d\" = \"hex\"\n", i)
	}
	for _, text := range []string{many.String(), "\"main." + strings.Repeat("*T", 100) + "\" = \"hex\"\n"} {
		if c, err = loaded(t, "", "[formats]\n"+text); err != nil || len(c.Formats) != 0 || len(c.Ignored) == 0 {
			t.Errorf("%v, %d formats, ignored: %v", err, len(c.Formats), c.Ignored)
		}
	}
}
