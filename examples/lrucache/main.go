// Command lrucache replays the page views of a site through a small cache
// that drops the page used least recently, and prints how often it helped.
//
// The lesson: a method runs on whatever it is called on; the callers' frames
// tell where the value came from.
//
//	pausetui debug ./examples/lrucache
//	pausetui debug ./examples/lrucache -- -capacity 2
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// views are the pages asked for, in order.
var views = []string{
	"/", "/docs", "/", "/blog", "/docs", "/about", "/", "/docs",
	"/blog/spring", "/", "/blog", "/docs", "/imprint", "/",
}

func main() {
	capacity := flag.Int("capacity", 3, "pages the cache holds")
	flag.Parse()
	if err := run(*capacity); err != nil {
		fmt.Fprintln(os.Stderr, "lrucache:", err)
		os.Exit(1)
	}
}

// run replays the views through a cache of the given capacity.
func run(capacity int) error {
	if capacity < 1 {
		return fmt.Errorf("capacity %d: want at least 1", capacity)
	}
	cache := NewCache(capacity)
	for _, path := range views {
		if _, ok := cache.Get(path); !ok {
			cache.Put(path, render(path))
		}
	}
	stats := cache.Stats()
	fmt.Printf("%d views, %d hits, %d renders, %d dropped\n",
		len(views), stats.Hits, stats.Misses, stats.Dropped)
	fmt.Println("kept:", strings.Join(cache.Keys(), " "))
	return nil
}

// render makes a page: the slow work that the cache is there to save.
func render(path string) string {
	title := strings.ReplaceAll(strings.Trim(path, "/"), "/", " · ")
	if title == "" {
		title = "home"
	}
	return "<h1>" + title + "</h1>"
}
