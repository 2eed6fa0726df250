// Command leaderboard ranks the players of a season by form: the most points
// that each made in a run of consecutive matches.
//
// The lesson: an index is computed somewhere; the values beside the source
// show which of its parts is wrong, and for which player.
//
//	pausetui debug ./examples/leaderboard
//	pausetui debug ./examples/leaderboard -- -run 5
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	length := flag.Int("run", 3, "matches in a run")
	flag.Parse()
	if err := run(*length); err != nil {
		fmt.Fprintln(os.Stderr, "leaderboard:", err)
		os.Exit(1)
	}
}

// run ranks the season's players by runs of the given length.
func run(length int) error {
	if length < 1 {
		return fmt.Errorf("run of %d matches: want at least 1", length)
	}
	board := Rank(season, length)
	fmt.Printf("best run of %d matches\n", length)
	for _, row := range board.Rows {
		fmt.Printf("%2d. %-10s %3d points, matches %d to %d, form %s\n",
			row.Place, row.Player, row.Best.Points, row.Best.First+1, row.Best.First+length, row.Trend)
	}
	for _, name := range board.Unranked {
		fmt.Printf(" -  %-10s too few matches\n", name)
	}
	return nil
}
