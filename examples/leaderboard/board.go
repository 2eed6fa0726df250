package main

import (
	"cmp"
	"slices"
)

// Row is one place of the board.
type Row struct {
	Place  int // from 1; players with equal points share a place
	Player string
	Best   Run
	Trend  Trend
}

// Board is the ranking of a season.
type Board struct {
	Rows     []Row
	Unranked []string // players without enough matches, in order of entry
}

// Rank orders players by their best run of length matches. Among equals the
// earlier run comes first, then the name decides.
func Rank(players []Player, length int) Board {
	var board Board
	for _, p := range players {
		best, err := bestRun(p.Points, length)
		if err != nil {
			board.Unranked = append(board.Unranked, p.Name)
			continue
		}
		board.Rows = append(board.Rows, Row{Player: p.Name, Best: best, Trend: trend(p.Points, length)})
	}
	slices.SortFunc(board.Rows, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(b.Best.Points, a.Best.Points),
			cmp.Compare(a.Best.First, b.Best.First),
			cmp.Compare(a.Player, b.Player),
		)
	})
	number(board.Rows)
	return board
}

// number gives the ordered rows their places.
func number(rows []Row) {
	for i := range rows {
		rows[i].Place = i + 1
		if i > 0 && rows[i].Best.Points == rows[i-1].Best.Points {
			rows[i].Place = rows[i-1].Place
		}
	}
}
