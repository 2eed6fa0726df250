package main

import "fmt"

var samples = [][]float64{
	{2.0, 3.5, 3.1, 1.0, 0.5},
	{1.0, 4.0, 2.0, 5.0, 4.5},
	{0.0, 1.0, 2.0, 3.0, 4.0},
	{7.0, 6.5, 6.5, 6.8, 6.1},
}

func main() {
	m := NewMatrix(len(samples), len(samples[0]))
	for r, row := range samples {
		copy(m.Row(r), row)
	}

	metrics := []struct {
		label string
		f     func([]float64) float64
	}{
		{"mean", mean},
		{"stddev", stddev},
		{"rough", roughness},
	}

	byAxis := func(label string, n int, pick func(int) []float64) {
		for i := range n {
			xs := pick(i)
			fmt.Printf("%s %d:", label, i)
			for _, mt := range metrics {
				fmt.Printf(" %s=%.3f", mt.label, mt.f(xs))
			}
			fmt.Printf(" peaks=%v\n", peaks(xs))
		}
	}
	byAxis("row", m.rows, m.Row)
	byAxis("col", m.cols, m.Col)

	t := NewMatrix(m.cols, m.rows)
	for r := range m.rows {
		for c, v := range m.Row(r) {
			t.Set(c, r, v)
		}
	}
	g, err := m.Mul(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace := 0.0
	for i := range g.rows {
		trace += g.At(i, i)
	}
	fmt.Printf("gram %dx%d trace=%.2f\n", g.rows, g.cols, trace)
}
