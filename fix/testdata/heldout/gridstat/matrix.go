package main

import (
	"fmt"
	"math"
)

type Matrix struct {
	rows, cols int
	cell       []float64
}

func NewMatrix(rows, cols int) *Matrix {
	return &Matrix{rows, cols, make([]float64, rows*cols)}
}

func (m *Matrix) At(r, c int) float64     { return m.cell[r*m.cols+c] }
func (m *Matrix) Set(r, c int, v float64) { m.cell[r*m.cols+c] = v }

func (m *Matrix) Row(r int) []float64 {
	return m.cell[r*m.cols : (r+1)*m.cols]
}

func (m *Matrix) Col(c int) []float64 {
	out := make([]float64, 0, m.rows)
	for r := range m.rows {
		out = append(out, m.At(r, c))
	}
	return out
}

func (m *Matrix) Mul(n *Matrix) (p *Matrix, err error) {
	if m.cols != n.rows {
		return nil, fmt.Errorf("cannot multiply %dx%d by %dx%d", m.rows, m.cols, n.rows, n.cols)
	}
	p = NewMatrix(m.rows, n.cols)
	for r := range m.rows {
		for c := range n.cols {
			var s float64
			for k, v := range m.Row(r) {
				s += v * n.At(k, c)
			}
			p.Set(r, c, s)
		}
	}
	return p, nil
}

func mean(xs []float64) (mu float64) {
	for _, x := range xs {
		mu += x / float64(len(xs))
	}
	return
}

func stddev(xs []float64) float64 {
	mu, ss := mean(xs), 0.0
	for _, x := range xs {
		ss += (x - mu) * (x - mu)
	}
	return math.Sqrt(ss / float64(len(xs)))
}

func peaks(xs []float64) (at []int) {
	for i := 1; i < len(xs); i++ {
		if xs[i] > xs[i-1] &&
			xs[i] >= xs[i+1] {
			at = append(at, i)
		}
	}
	return at
}

func roughness(xs []float64) float64 {
	sum := 0.0
	for i := 1; i < len(xs); i++ {
		sum += math.Abs(xs[i] - xs[i-1])
	}
	return sum
}
