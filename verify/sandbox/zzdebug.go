package sandbox

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

var zzStart = time.Now()

func zzlog(s Spec, began time.Time, cpu time.Duration) {
	f, err := os.OpenFile("/tmp/zz.log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	stack := ""
	for _, l := range strings.Split(string(debug.Stack()), "\n") {
		if strings.HasPrefix(l, "github.com/pausetui/pausetui/verify.") || strings.HasPrefix(l, "github.com/pausetui/pausetui/engine") {
			l = strings.TrimPrefix(l, "github.com/pausetui/pausetui/")
			if i := strings.LastIndex(l, "("); i > 0 {
				l = l[:i]
			}
			stack += " < " + l
		}
	}
	fmt.Fprintf(f, "%6d +%5d cpu %5d %s %.160q\n        %s\n", began.Sub(zzStart).Milliseconds(), time.Since(began).Milliseconds(), cpu.Milliseconds(), s.Path, strings.Join(s.Args, " "), stack)
}
