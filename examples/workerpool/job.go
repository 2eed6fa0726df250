package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// Document is one text of the archive.
type Document struct {
	Title string
	Text  string
}

// Validate says what keeps a document from being digested.
func (d Document) Validate() error {
	if d.Title == "" {
		return errors.New("no title")
	}
	if strings.TrimSpace(d.Text) == "" {
		return errors.New("no text")
	}
	return nil
}

// Job is a document to be digested.
type Job struct {
	ID       int // its place in the archive
	Document Document
}

// Result is what a worker found out about a job.
type Result struct {
	ID     int
	Digest string // the first 6 bytes of the text's SHA-256, in hexadecimal
	Words  int
}

// digest does one job.
func digest(job Job) Result {
	sum := sha256.Sum256([]byte(job.Document.Text))
	return Result{
		ID:     job.ID,
		Digest: hex.EncodeToString(sum[:6]),
		Words:  len(strings.Fields(job.Document.Text)),
	}
}
