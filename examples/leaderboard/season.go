package main

// Player is someone who entered the season.
type Player struct {
	Name   string
	Points []int // of each match played, in order
}

// season holds this year's players in order of entry.
var season = []Player{
	{Name: "Ingrid", Points: []int{12, 18, 7, 22, 25, 19, 8, 14}},
	{Name: "Tomas", Points: []int{20, 20, 20, 20, 20, 20, 20, 20}},
	{Name: "Yusuf", Points: []int{5, 9, 30}},
	{Name: "Marisol", Points: []int{15, 11, 24, 27, 10, 9, 31, 26}},
	{Name: "Pelle", Points: []int{40, 3}},
	{Name: "Adaeze", Points: []int{22, 14, 19, 17, 24, 26, 12}},
}
