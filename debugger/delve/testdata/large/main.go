// Command large has collections in scope that nobody can load at once.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type row struct {
	Name  string
	Price float64
	Tags  []string
}

type ring struct {
	Value int
	Next  *ring
}

func main() {
	numbers := make([]int, 10_000_000)
	for i := range numbers {
		numbers[i] = i * 3
	}
	byName := make(map[string]int, 1_000_000)
	for i := range 1_000_000 {
		byName[fmt.Sprintf("key-%07d", i)] = i
	}
	byID := make(map[int]string, 20_000)
	for i := range 20_000 {
		byID[i] = fmt.Sprint("id ", i)
	}
	roomy := make(map[int]string, 150_000)
	roomy[7] = "eight"
	text := strings.Repeat("0123456789abcde\n", 100<<20/16)
	raw := []byte(text[:1<<20])
	copy(raw[999_990:], "needle\x00\xff")
	rows := make([]row, 100_000)
	for i := range rows {
		rows[i] = row{Name: fmt.Sprint("row ", i), Price: float64(i) / 4, Tags: []string{"a", "b"}}
	}
	words := make([]string, 300_000)
	for i := range words {
		words[i] = fmt.Sprint("word ", i)
	}
	var fields wide
	fields.F499 = 499
	cycle := &ring{Value: 1}
	cycle.Next = &ring{Value: 2, Next: cycle}
	var deep any = 1
	for range 30 {
		deep = []any{deep}
	}
	jobs := make(chan int, 100_000)
	for i := range 90_000 {
		jobs <- i
	}
	for range 50_000 {
		<-jobs
	}
	for i := range 30_000 {
		jobs <- i
	}
	runtime.Breakpoint()
	fmt.Println(len(numbers), len(byName), len(byID), len(roomy), len(text), len(raw), len(rows), len(words), fields, cycle, deep, len(jobs))
}
