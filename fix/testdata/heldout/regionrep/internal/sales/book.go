package sales

import "sort"

type Region struct {
	Name  string
	Total int
	ByQtr [4]map[string]int
	Reps  map[string]map[string]int
}

type Book struct {
	Regions []Region
}

func NewBook(names ...string) *Book {
	b := new(Book)
	for _, n := range names {
		b.Regions = append(b.Regions, newRegion(n))
	}
	return b
}

func newRegion(name string) Region {
	r := Region{Name: name, Reps: map[string]map[string]int{}}
	for q := range r.ByQtr {
		r.ByQtr[q] = map[string]int{}
	}
	return r
}

func (b *Book) region(name string) *Region {
	for i := range b.Regions {
		if b.Regions[i].Name == name {
			return &b.Regions[i]
		}
	}
	b.Regions = append(b.Regions, Region{
		Name: name,
		Reps: map[string]map[string]int{},
	})
	return &b.Regions[len(b.Regions)-1]
}

func (b *Book) Record(region, rep, item string, qtr, amount int) {
	r := b.region(region)
	r.Total += amount
	r.ByQtr[qtr-1][item] += amount
	if r.Reps[rep] == nil {
		r.Reps[rep] = make(map[string]int)
	}
	r.Reps[rep][item] += amount
}

func (r *Region) Items() []string {
	seen := map[string]bool{}
	for _, m := range r.ByQtr {
		for it := range m {
			seen[it] = true
		}
	}
	return sorted(seen)
}

func (r *Region) RepNames() []string { return sorted(r.Reps) }

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
