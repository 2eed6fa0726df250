// Command userimport reads user records exported as JSON by another system
// and lists the users it accepted.
//
// The export is trusted to be JSON and nothing more: a record that lacks a
// required field, or has one of the wrong kind, is skipped with a message, and
// the rest are imported.
//
// The lesson: one record of many is different, and the paused frame holds it.
//
//	pausetui debug ./examples/userimport
package main

import (
	_ "embed"
	"fmt"
	"os"
)

//go:embed testdata/users.json
var export []byte

func main() {
	if err := run(export); err != nil {
		fmt.Fprintln(os.Stderr, "userimport:", err)
		os.Exit(1)
	}
}

// run imports the export and prints the report.
func run(export []byte) error {
	records, err := decode(export)
	if err != nil {
		return err
	}
	fmt.Printf("read %d records\n", len(records))
	users, problems := importAll(records)
	for _, p := range problems {
		fmt.Println("skipped", p)
	}
	report(users)
	return nil
}

// report prints the users as a table, with a summary below it.
func report(users []User) {
	fmt.Printf("%-14s %-20s %3s  %s\n", "NAME", "EMAIL", "AGE", "ROLES")
	for _, u := range users {
		fmt.Printf("%-14s %-20s %3d  %s\n", u.Name, u.Email, u.Age, u.RoleList())
	}
	fmt.Printf("imported %d users, %d of age\n", len(users), countAdults(users))
}

// countAdults returns how many users are 18 or older.
func countAdults(users []User) int {
	adults := 0
	for _, u := range users {
		if u.Age >= 18 {
			adults++
		}
	}
	return adults
}
