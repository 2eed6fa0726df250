package testsupport

import (
	"flag"
	"fmt"
	"os"
	"runtime"
)

// MostlyWaiting has twice as many parallel tests run as there are processors,
// unless -parallel says how many. TestMain calls it in packages whose tests wait
// for other processes most of the time.
func MostlyWaiting() {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", fmt.Sprint(2*runtime.GOMAXPROCS(0))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
