package main

import (
	"context"
	"embed"
	"fmt"
)

//go:embed testdata/*.csv
var exports embed.FS

// File is the export of one shop.
type File struct {
	Name string
	Text string
}

// readFiles reads the exports, in the order of their names.
func readFiles(context.Context) ([]File, error) {
	fmt.Println("read: the exports")
	entries, err := exports.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		text, err := exports.ReadFile("testdata/" + e.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, File{e.Name(), string(text)})
	}
	return files, nil
}
