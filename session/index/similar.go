package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/editdistance"
)

// Bounds of the search for words like one that begins none.
const (
	minSimilar = 4  // runes of the word: shorter ones are like too many
	maxSimilar = 16 // words
)

// match is what the table of words is asked for: words that begin with those of
// the query. A word that begins none stands for those that are like it.
func (x *Index) match(ctx context.Context, words []string) (string, error) {
	var all []string
	for _, w := range words {
		begins := fmt.Sprintf("%q*", w)
		var there bool
		if err := x.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ?)", begins).Scan(&there); err != nil {
			return "", x.failed(err)
		}
		if !there {
			similar, err := x.similar(ctx, w)
			if err != nil {
				return "", err
			}
			if len(similar) > 0 {
				begins = "(" + strings.Join(similar, " OR ") + ")"
			}
		}
		all = append(all, begins)
	}
	return strings.Join(all, " AND "), nil
}

// similar are the words that have the letters of one in their order, or differ
// from it in few, quoted, the most similar first.
func (x *Index) similar(ctx context.Context, word string) ([]string, error) {
	word = strings.ToLower(word)
	first, _ := utf8.DecodeRuneInString(word)
	n := utf8.RuneCountInString(word)
	if n < minSimilar {
		return nil, nil
	}
	terms, err := x.texts(ctx, "SELECT term FROM vocabulary WHERE term >= ? AND term < ?", string(first), string(first+1))
	if err != nil {
		return nil, err
	}
	type like struct {
		term     string
		distance int
	}
	var list []like
	for _, t := range terms {
		long := utf8.RuneCountInString(t)
		if long > 3*n {
			continue
		}
		d := editdistance.Distance(word, t)
		if d > 2 && !subsequence(word, t) || d > n/2 && d != long-n {
			continue
		}
		list = append(list, like{t, d})
	}
	slices.SortFunc(list, func(a, b like) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.term, b.term)) })
	var quoted []string
	for _, l := range list[:min(len(list), maxSimilar)] {
		quoted = append(quoted, fmt.Sprintf("%q", l.term))
	}
	return quoted, nil
}

// subsequence tells whether text has the letters of word in their order.
func subsequence(word, text string) bool {
	for _, r := range word {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+utf8.RuneLen(r):]
	}
	return true
}
