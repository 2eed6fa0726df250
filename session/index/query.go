package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/editdistance"
)

// Query says which sessions are wanted. The zero value means all.
type Query struct {
	words   []string // each begins a word of the session
	filters []filter
}

type filter struct{ field, value string }

// columns are the fields that a filter names, with the expression of SQL that
// has their values. A value is a pattern with * and ?.
var columns = map[string]string{
	"outcome": "outcome", "file": "file", "function": "function", "package": "package",
	"target": "target", "fingerprint": "fingerprint", "message": "message",
}

// lists are fields that hold several values, separated by spaces.
var lists = map[string]string{"class": "classes", "model": "models", "prompt": "prompts", "by": "decided", "effect": "effects", "judged": "judgements"}

// parts are the fields whose values may be given by their last part, with what
// stands before that: a file without its folders, a method without its type.
var parts = map[string]string{"file": "/", "package": "/", "function": "."}

// Fields are the names of the filters, sorted.
func Fields() []string {
	fields := []string{"since", "until"}
	for f := range columns {
		fields = append(fields, f)
	}
	for f := range lists {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	return fields
}

// ParseQuery reads a query as a person types it: words, and filters such as
// class:nil-map-write, model:qwen*, file:index.go, since:30d or since:2026-11-01.
// Double quotes hold a value with spaces together. Today's date is now's.
func ParseQuery(text string, now time.Time) (Query, error) {
	var q Query
	for _, word := range split(text) {
		field, value, isFilter := strings.Cut(word, ":")
		if !isFilter || !plain(field) {
			q.words = append(q.words, words(word)...)
			continue
		}
		if value == "" {
			continue // still being typed
		}
		switch field {
		case "since", "until":
			at, err := when(value, now)
			if err != nil {
				return q, advice.Add(err, "write 30d, 12h, 2w or 2026-11-01")
			}
			value = strconv.FormatInt(at.UnixMilli(), 10)
		default:
			if columns[field]+lists[field] == "" {
				return q, advice.Add(fmt.Errorf("unknown filter %q", field), did(field))
			}
		}
		q.filters = append(q.filters, filter{field, value})
	}
	return q, nil
}

func did(field string) string {
	for _, f := range Fields() {
		if editdistance.Distance(f, field) <= 2 {
			return "did you mean " + f + ":?"
		}
	}
	return "filters: " + strings.Join(Fields(), ", ")
}

// plain tells a filter's name from a word with a colon in it.
func plain(field string) bool {
	return field != "" && !strings.ContainsFunc(field, func(r rune) bool { return r < 'a' || r > 'z' })
}

// split divides at spaces outside double quotes, which it drops.
func split(text string) []string {
	var list []string
	var word strings.Builder
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			list = append(list, word.String())
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	return slices.DeleteFunc(append(list, word.String()), func(s string) bool { return s == "" })
}

// words are the parts of a text that the table of words knows it by.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// when reads a day, a time, or a span back from now.
func when(value string, now time.Time) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return at, nil
		}
	}
	number, unit := value[:len(value)-1], value[len(value)-1]
	n, err := strconv.ParseFloat(number, 64)
	span, known := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}[unit]
	if err != nil || !known || n < 0 || n > 1e5 {
		return time.Time{}, fmt.Errorf("%q is not a time", value)
	}
	return now.Add(-time.Duration(n * float64(span))), nil
}

// where is the condition of a query over the table of sessions.
func (x *Index) where(ctx context.Context, q Query) (string, []any, error) {
	conditions, args := []string{"directory = ?"}, []any{x.directory}
	for _, f := range q.filters {
		condition, values := f.condition()
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if len(q.words) > 0 {
		match, err := x.match(ctx, q.words)
		if err != nil {
			return "", nil, err
		}
		conditions, args = append(conditions, "id IN (SELECT rowid FROM words WHERE words MATCH ?)"), append(args, match)
	}
	return strings.Join(conditions, " AND "), args, nil
}

// condition is that of a filter.
func (f filter) condition() (sql string, args []any) {
	const like = " LIKE ? ESCAPE '\\'"
	value := pattern(f.value)
	column, list := columns[f.field], lists[f.field]
	switch {
	case f.field == "since":
		return "at >= ?", []any{f.value}
	case f.field == "until":
		return "at < ?", []any{f.value}
	case list != "":
		list = "' ' || " + list + " || ' '" + like
		if f.field == "class" { // nil is nil-map-write, too
			return "(" + list + " OR " + list + ")", []any{"% " + valueEnd(f.value), "% " + pattern(f.value) + "-%"}
		}
		return "(" + list + " OR " + list + ")", []any{"% " + valueEnd(f.value), "%/" + valueEnd(f.value)} // a model's name without its provider
	case parts[f.field] != "":
		return "(" + column + like + " OR " + column + like + ")", []any{value, "%" + parts[f.field] + value}
	}
	return column + like, []any{value}
}

// valueEnd is the pattern of a value up to the end of the list that holds it.
func valueEnd(value string) string {
	if strings.ContainsRune(value, '*') {
		return pattern(value) + "%"
	}
	return pattern(value) + " %"
}

// pattern turns * and ? into the signs of LIKE.
func pattern(value string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, "*", "%", "?", "_").Replace(value)
}

const selected = `name, at, seconds, target, package, class, message, function, file, line, fingerprint, outcome, judgement, applied, judged, decided, models, prompts, stops, candidates, verified, error`

// Search returns the sessions that a query wants, the newest first: limit of
// them from offset on, and how many there are.
func (x *Index) Search(ctx context.Context, q Query, limit, offset int) (list []Session, total int, err error) {
	condition, args, err := x.where(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	rows, err := x.db.QueryContext(ctx, "SELECT "+selected+" FROM sessions WHERE "+condition+" ORDER BY at DESC, name DESC LIMIT ? OFFSET ?", append(slices.Clone(args), limit, offset)...)
	if err != nil {
		return nil, 0, x.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		s, err := scan(rows)
		if err != nil {
			return nil, 0, x.failed(err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, x.failed(err)
	}
	if total = offset + len(list); len(list) > 0 && len(list) < limit {
		return list, total, nil // these are the last
	}
	err = x.db.QueryRowContext(ctx, "SELECT count(*) FROM sessions WHERE "+condition, args...).Scan(&total)
	return list, total, x.failed(err)
}

func scan(rows *sql.Rows) (Session, error) {
	var s Session
	var at int64
	var applied, judged, decided, models, prompts string
	err := rows.Scan(&s.Name, &at, &s.Seconds, &s.Target, &s.Package, &s.Class, &s.Message, &s.Function, &s.File, &s.Line, &s.Fingerprint,
		&s.Outcome, &s.Judgement, &applied, &judged, &decided, &models, &prompts, &s.Stops, &s.Candidates, &s.Verified, &s.Error)
	s.At = time.UnixMilli(at)
	s.Applied, s.Judged, s.Decided, s.Models, s.Prompts = strings.Fields(applied), strings.Fields(judged), strings.Fields(decided), strings.Fields(models), strings.Fields(prompts)
	return s, err
}

// Values are those that a field has and that begin as given, the most frequent
// first, at most limit. They complete a filter. A model may be given without its
// provider.
func (x *Index) Values(ctx context.Context, field, prefix string, limit int) ([]string, error) {
	column := columns[field]
	if lists[field] != "" {
		return x.listed(ctx, lists[field], prefix, limit)
	}
	if column == "" {
		return nil, nil
	}
	return x.texts(ctx, "SELECT "+column+" FROM sessions WHERE directory = ? AND "+column+" LIKE ? ESCAPE '\\' AND "+column+" <> '' GROUP BY "+column+" ORDER BY count(*) DESC LIMIT ?",
		x.directory, pattern(prefix)+"%", limit)
}

// listed counts the values of a field that holds several.
func (x *Index) listed(ctx context.Context, column, prefix string, limit int) ([]string, error) {
	all, err := x.texts(ctx, "SELECT "+column+" FROM sessions WHERE directory = ? AND "+column+" <> ''", x.directory)
	if err != nil {
		return nil, err
	}
	prefix = strings.TrimRight(prefix, "*") // any text follows a prefix as it is
	times := map[string]int{}
	for _, text := range all {
		for _, value := range strings.Fields(text) {
			if _, name, _ := strings.Cut(value, "/"); strings.HasPrefix(value, prefix) || strings.HasPrefix(name, prefix) {
				times[value]++
			}
		}
	}
	var values []string
	for v := range times {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b string) int {
		if times[a] != times[b] {
			return times[b] - times[a]
		}
		return strings.Compare(a, b)
	})
	return values[:min(limit, len(values))], nil
}

func (x *Index) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := x.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, x.failed(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, x.failed(err)
		}
		list = append(list, text)
	}
	return list, x.failed(rows.Err())
}
