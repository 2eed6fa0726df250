package fixer

import "fmt"

func senders(s onChannel) string {
	if s.count == 1 {
		return "a goroutine"
	}
	return fmt.Sprintf("%d goroutines", s.count)
}
