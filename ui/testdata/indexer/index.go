package main

import "strings"

// Doc is one document of the index.
type Doc struct {
	Name string
	Text string
}

// Index finds documents by the terms they hold.
type Index struct {
	docs  []Doc
	terms map[string][]int
	count int
}

// NewIndex returns an index of the documents.
func NewIndex(docs []Doc) *Index {
	return &Index{docs: docs}
}

// Build reads every document.
func (x *Index) Build() {
	for i, d := range x.docs {
		for _, term := range strings.Fields(d.Text) {
			x.Add(strings.ToLower(term), i)
		}
	}
}

// Find returns the documents that hold a term, in order.
func (x *Index) Find(term string) []int {
	return x.terms[strings.ToLower(term)]
}

// Add records that doc contains term.
func (x *Index) Add(term string, doc int) {
	seen := len(x.terms[term])
	if seen > 0 && x.terms[term][seen-1] == doc {
		return // once a document is enough
	}
	x.terms[term] = append(x.terms[term], doc)
	x.count++
}
