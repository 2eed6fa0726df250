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
	"io"
	"os"
	"text/tabwriter"
)

//go:embed testdata/users.json
var export []byte

func main() {
	if err := run(export, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "userimport:", err)
		os.Exit(1)
	}
}

// run imports the export and writes the report to out.
func run(export []byte, out io.Writer) error {
	records, err := decode(export)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "read %d records\n", len(records))
	users, problems := importAll(records)
	for _, p := range problems {
		fmt.Fprintln(out, "skipped", p)
	}
	return report(out, users)
}

// report writes the users as a table, with a summary below it.
func report(out io.Writer, users []User) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tEMAIL\tAGE\tROLES")
	for _, u := range users {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", u.Name, u.Email, u.Age, u.RoleList())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "imported %d users, %d of age\n", len(users), countAdults(users))
	return err
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
