package main

import (
	"bufio"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"example.org/pagefeed/pkg/stream"
)

type Article = stream.Pair[string, int]

func lines(f *os.File) iter.Seq[string] {
	return func(yield func(string) bool) {
		for sc := bufio.NewScanner(f); sc.Scan(); {
			if !yield(sc.Text()) {
				return
			}
		}
	}
}

func toArticle(s string) (a Article) {
	fields := strings.Fields(s)
	a.First = strings.Join(fields, " ")
	a.Second = len(fields)
	return
}

func main() {
	const perPage = 4

	articles := stream.SortedBy(
		stream.Filter(
			stream.Map(lines(os.Stdin), toArticle),
			func(a Article) bool { return a.Second > 0 },
		),
		func(a Article) int { return -a.Second },
	)

	pager := stream.Paginate(articles, perPage)
	for n, page := range pager.All() {
		words := stream.Sum(slices.Values(page), func(a Article) int { return a.Second })
		fmt.Printf("page %d/%d (%d words)\n", n, pager.Pages(), words)
		for _, a := range page {
			fmt.Printf("  %2d  %s\n", a.Second, a.First)
		}
	}
}
