// Command workerpool computes a digest and a word count of each document of
// an archive, with several workers at once, and prints them in order.
//
// The lesson: a panic in a deferred call comes after the work was done; the
// call's own frame shows only half of the story.
//
//	pausetui debug ./examples/workerpool
package main

import (
	"fmt"
	"os"
)

// archive holds the documents to go through.
var archive = []Document{
	{Title: "charter", Text: "We the members found this club to sail in all weathers"},
	{Title: "minutes", Text: "Present were nine members and one dog"},
	{Title: "budget", Text: "Sails 400 ropes 120 paint 80 coffee 310"},
	{Title: "notice", Text: "The jetty is closed until the ice has gone"},
	{Title: "ballot", Text: "Yes Yes No Yes No Yes Yes"},
	{Title: "letter", Text: "Dear harbour master the crane squeaks again"},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "workerpool:", err)
		os.Exit(1)
	}
}

// run digests the archive and prints a line for each document.
func run() error {
	pool := NewPool(3, digest)
	// Whatever happens below, no worker is left waiting.
	defer pool.Close()

	for i, doc := range archive {
		if err := doc.Validate(); err != nil {
			return fmt.Errorf("document %d: %w", i+1, err)
		}
		pool.Submit(Job{ID: i, Document: doc})
	}
	words := 0
	for _, r := range pool.Drain() {
		words += r.Words
		fmt.Printf("%-8s %s %3d words\n", archive[r.ID].Title, r.Digest, r.Words)
	}
	fmt.Printf("%d documents, %d words\n", len(archive), words)
	return nil
}
