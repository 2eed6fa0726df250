package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.org/regionrep/internal/sales"
)

func load(r io.Reader, b *sales.Book) error {
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = 5
	cr.TrimLeadingSpace = true
	for {
		rec, err := cr.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		qtr, err := strconv.Atoi(strings.TrimPrefix(rec[3], "Q"))
		if err != nil || qtr < 1 || qtr > 4 {
			return fmt.Errorf("bad quarter %q", rec[3])
		}
		amount, err := strconv.Atoi(rec[4])
		if err != nil {
			return err
		}
		b.Record(rec[0], rec[1], rec[2], qtr, amount)
	}
}

func report(w io.Writer, r *sales.Region) {
	fmt.Fprintf(w, "%s (%d)\n%s\n", r.Name, r.Total, strings.Repeat("-", 40))
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "item\tQ1\tQ2\tQ3\tQ4\t")
	for _, it := range r.Items() {
		fmt.Fprintf(tw, "%s\t", it)
		for q := range r.ByQtr {
			fmt.Fprintf(tw, "%d\t", r.ByQtr[q][it])
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	for _, rep := range r.RepNames() {
		sum := 0
		for _, v := range r.Reps[rep] {
			sum += v
		}
		fmt.Fprintf(w, "  %-12s %6d\n", rep, sum)
	}
	fmt.Fprintln(w)
}

func main() {
	log.SetFlags(0)
	book := sales.NewBook("North", "South")
	if err := load(os.Stdin, book); err != nil {
		log.Fatal(err)
	}
	for i := range book.Regions {
		report(os.Stdout, &book.Regions[i])
	}
}
