// Command unset stops in the middle of statements that declare something.
package main

import (
	"errors"
	"io/fs"
)

type part struct{ n int }

func inner(p *part) (int, error) {
	set := 3
	quotient := set +
		set/p.n // divides by 0
	return quotient, errors.New("none")
}

func outer(p *part) (total int, err error) {
	var wrapped error = (*fs.PathError)(nil)
	first, failed := 1, inner2(
		p,
		total,
	)
	return first, errors.Join(failed, err, wrapped)
}

func inner2(p *part, _ int) error {
	_, err := inner(p)
	return err
}

func main() {
	_, _ = outer(&part{})
}
