package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"example.org/confload/pkg/conf"
)

type settings struct {
	Name    string
	Port    int
	Workers int
	Timeout time.Duration
	Tags    []string
}

type binder func(conf.Tree, *settings)

var binders = []binder{
	func(t conf.Tree, s *settings) { s.Name = t.String("service.name", "unnamed") },
	func(t conf.Tree, s *settings) { s.Port = t.Int("service.port", 8080) },
	func(t conf.Tree, s *settings) { s.Workers = t.Int("pool.workers", 4) },
	func(t conf.Tree, s *settings) { s.Timeout = t.Duration("pool.timeout", 30*time.Second) },
	func(t conf.Tree, s *settings) { s.Tags = t.Strings("service.tags") },
}

func main() {
	verbose := flag.Bool("v", false, "print all settings")
	flag.Parse()

	tree, err := conf.Load(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var s settings
	for _, bind := range binders {
		bind(tree, &s)
	}
	fmt.Printf("%s on :%d\n", s.Name, s.Port)
	if *verbose {
		fmt.Printf("workers %d, timeout %s, tags [%s]\n", s.Workers, s.Timeout, strings.Join(s.Tags, " "))
	}
}
