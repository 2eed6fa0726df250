// colsum - sum a numeric column grouped by a key column
//
//	colsum [-d sep] [-k n] [-v n] [-r] < file
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

var (
	dflag = flag.String("d", ":", "separator")
	kflag = flag.Int("k", 1, "key column")
	vflag = flag.Int("v", 2, "value column")
	rflag = flag.Bool("r", false, "reverse by sum")
)

type ent struct {
	k string
	n int
	s float64
}

var (
	tab  []ent
	idx  = map[string]int{}
	nbad int
)

func die(s string, a ...any) {
	fmt.Fprintf(os.Stderr, "colsum: "+s+"\n", a...)
	os.Exit(1)
}

func add(k string, v float64) {
	i, ok := idx[k]
	if !ok {
		i = len(tab)
		idx[k] = i
		tab = append(tab, ent{k: k})
	}
	e := &tab[i]
	e.n++
	e.s += v
}

func eat(l string) {
	if l[:min(1, len(l))] == "#" {
		return
	}
	f := strings.Split(l, *dflag)
	k, v := strings.TrimSpace(f[*kflag-1]), strings.TrimSpace(f[*vflag-1])
	x, err := strconv.ParseFloat(v, 64)
	if err != nil {
		nbad++
		return
	}
	add(k, x)
}

func dump() {
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	if *rflag {
		sort.SliceStable(tab, func(i, j int) bool { return tab[i].s > tab[j].s })
	} else {
		sort.SliceStable(tab, func(i, j int) bool { return tab[i].k < tab[j].k })
	}
	t := 0.0
	for _, e := range tab {
		fmt.Fprintf(w, "%s\t%d\t%g\n", e.k, e.n, e.s)
		t += e.s
	}
	fmt.Fprintf(w, "-\t%d\t%g\n", len(tab), t)
}

func main() {
	flag.Parse()
	if *kflag < 1 || *vflag < 1 {
		die("columns count from 1")
	}
	if *dflag == "" {
		die("empty separator")
	}
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		eat(sc.Text())
	}
	if err := sc.Err(); err != nil {
		die("%v", err)
	}
	dump()
	if nbad > 0 {
		fmt.Fprintf(os.Stderr, "colsum: %d bad lines\n", nbad)
	}
}
