//go:build ignore

// Command gen_std writes std.txt: the packages of the standard library, one for
// each name. Run it with go generate when the Go version of go.mod changes.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// usual says, where several packages share a name, which one ordinary programs
// mean.
var usual = map[string]string{
	"pprof":    "runtime/pprof",
	"rand":     "math/rand",
	"scanner":  "text/scanner",
	"template": "text/template",
}

// hidden are paths that no program imports, and versions, whose last part is not
// their name.
var hidden = regexp.MustCompile(`(^|/)(internal|vendor)(/|$)|/v[0-9]+$`)

func main() {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		log.Fatalf("list the standard library: %v", err)
	}
	named := map[string]string{}
	for _, p := range strings.Fields(string(out)) {
		name := path.Base(p)
		switch other, taken := named[name]; {
		case hidden.MatchString(p) || usual[name] != "" && usual[name] != p:
		case taken:
			log.Fatalf("%s and %s share a name: say in usual which one is meant", other, p)
		default:
			named[name] = p
		}
	}
	var list []string
	for _, p := range named {
		list = append(list, p)
	}
	slices.Sort(list)
	if err := os.WriteFile("std.txt", []byte(strings.Join(list, "\n")+"\n"), 0o644); err != nil {
		log.Fatalf("write the list: %v", err)
	}
	fmt.Println(len(list), "packages")
}
