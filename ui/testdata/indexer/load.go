package main

import "os"

func load(names []string) ([]Doc, error) {
	var docs []Doc
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		docs = append(docs, Doc{Name: name, Text: string(text)})
	}
	return docs, nil
}
