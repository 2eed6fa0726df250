package match

// span is a stretch of both lists that has no equal elements: a0 to a1 of the
// first, b0 to b1 of the second.
type span struct{ a0, a1, b0, b1 int }

// maxCells bounds the table of a comparison; longer lists are compared by their
// common beginning and end only.
const maxCells = 1 << 20

// gaps returns the stretches between the elements that both lists share, in the
// order of a longest common subsequence.
func gaps[T comparable](a, b []T) []span {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	if len(x)*len(y) > maxCells {
		return []span{{head, head + len(x), head, head + len(y)}}
	}
	return between(x, y, lengths(x, y), head)
}

// lengths[i][j] is how long the common subsequence of a[i:] and b[j:] is.
func lengths[T comparable](a, b []T) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// between walks the table and collects the stretches, moved by offset.
func between[T comparable](a, b []T, table [][]int, offset int) []span {
	var found []span
	open := span{offset, offset, offset, offset}
	i, j := 0, 0
	flush := func() {
		open.a1, open.b1 = i+offset, j+offset
		if open.a1 > open.a0 || open.b1 > open.b0 {
			found = append(found, open)
		}
	}
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			flush()
			i, j = i+1, j+1
			open = span{a0: i + offset, b0: j + offset}
		case table[i+1][j] >= table[i][j+1]:
			i++
		default:
			j++
		}
	}
	i, j = len(a), len(b)
	flush()
	return found
}
