package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The words of a trace are given as the parameters that they are.
func TestArgumentsAreNamed(t *testing.T) {
	for name, tt := range map[string]struct{ signature, words, want string }{
		"receiver":   {"(x *Index) Add(n int)", "0x0, 0x5", "x=nil n=5"},
		"string":     {"Add(term string, ok bool)", "{0x4b1e2f, 0x2}, 0x1", "term?of length 2, " + notHeld + " ok=true"},
		"empty":      {"Add(term string)", "{0x0, 0x0}", "term="},
		"slice":      {"Add(list []int, m map[string]int)", "{0xc000012345, 0x3, 0x4}, 0xc000099999", "list=[]int len 3 cap 4 m=not nil (0xc000099999)"},
		"variadic":   {"Add(list ...int)", "{0x0, 0x0, 0x0}", "list=...int len 0 cap 0"},
		"interface":  {"Add(err error, v any)", "{0x0, 0x0}, {0x5000, 0xc000}", "err=nil v=not nil (0x5000)"},
		"negative":   {"Add(n int, s int8)", "0xffffffffffffffff, 0xfe", "n=-1 s=-2"},
		"not sure":   {"Add(n int)", "0x5?", "n?0x5 was passed, or something else: the trace is not sure"},
		"a struct":   {"Add(p Point, n int)", "{0x1, 0x2}, 0x7", "p?" + notHeld + " n=7"},
		"inlined":    {"Add(n int)", "...", "n?" + notHeld},
		"assigned":   {"Add(n int, set int)", "0x1, 0x2", "n=1 set?it was assigned to since, and " + notHeld},
		"too many":   {"Add(n int)", "0x1, 0x2", "argument 1=0x1 argument 2=0x2"},
		"ten words":  {"Add(a, b int, c string)", "0x1, ...", "a=1 b?" + notHeld + " c?" + notHeld},
		"no address": {"Add(n int)", "_", "n?" + notHeld},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			source := "package store\n\nfunc " + tt.signature + " {\n\tpanic(1)\n\tset = 2\n}\n"
			if err := os.WriteFile(filepath.Join(dir, "index.go"), []byte(source), 0o644); err != nil {
				t.Fatal(err)
			}
			function := "example.org/app.Add"
			if strings.HasPrefix(tt.signature, "(") {
				function = "example.org/app.(*Index).Add"
			}
			text := "panic: x\n\ngoroutine 1 [running]:\n" + function + "(" + tt.words + ")\n\t/b/index.go:4 +0x1d\n"
			f := locate(t, read(t, text).Traces[0], Home{Modules: []Module{{"example.org/app", dir}}}).Goroutines[0].Frames[0]
			var got []string
			for _, v := range f.Args {
				if v.Unreadable != "" {
					got = append(got, v.Name+"?"+v.Unreadable)
				} else {
					got = append(got, fmt.Sprintf("%s=%s", v.Name, v.Value))
				}
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("got  %s\nwant %s", text, tt.want)
			}
		})
	}
}
