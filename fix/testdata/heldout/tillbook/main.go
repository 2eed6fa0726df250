package main

import (
	"errors"
	"fmt"
	"sort"
)

func sortedKeys(m map[string]*Account) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return
}

func main() {
	l := NewLedger()
	for owner, amount := range map[string]int64{
		"till":    50_00,
		"safe":    900_00,
		"bank":    12_500_00,
		"charity": 0,
	} {
		l.Open(owner, amount)
	}
	if err := l.Freeze("charity"); err != nil {
		fmt.Println("error:", err)
	}

	moves := []struct {
		from, to string
		amount   int64
	}{
		{"safe", "till", 120_00},
		{"till", "petty", 5_00},
		{"till", "charity", 10_00},
		{"till", "bank", 400_00},
		{"bank", "safe", 250_00},
	}
	rejected := 0
	for _, m := range moves {
		switch err := l.Transfer(m.from, m.to, m.amount); {
		case err == nil:
		case errors.Is(err, ErrFunds), errors.Is(err, ErrNoAccount), errors.Is(err, ErrFrozen):
			rejected++
		default:
			panic(err)
		}
	}

	for _, e := range l.journal {
		state := "ok"
		if e.Err != nil {
			state = e.Err.Error()
		}
		fmt.Printf("%02d %-8s -> %-8s %9.2f  %s\n", e.Seq, e.From, e.To, float64(e.Amount)/100, state)
	}
	var sum int64
	l.Each(func(a *Account) {
		sum += a.Balance
		fmt.Printf("%-8s %10.2f\n", a.Owner, float64(a.Balance)/100)
	})
	fmt.Printf("%-8s %10.2f (%d rejected)\n", "total", float64(sum)/100, rejected)
}
