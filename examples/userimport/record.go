package main

import (
	"encoding/json"
	"fmt"
)

// Record is one object of the export, before anything is known about it.
type Record map[string]any

// decode reads the export: a JSON array of objects.
func decode(export []byte) ([]Record, error) {
	var records []Record
	if err := json.Unmarshal(export, &records); err != nil {
		return nil, fmt.Errorf("decode export: %w", err)
	}
	return records, nil
}

// text returns the field key, which must be a string that is not empty.
func (r Record) text(key string) (string, error) {
	value, ok := r[key].(string)
	if !ok || value == "" {
		return "", fmt.Errorf("field %q: want text, have %#v", key, r[key])
	}
	return value, nil
}

// texts returns the strings of the field key. A missing field is an empty list.
func (r Record) texts(key string) ([]string, error) {
	field, present := r[key]
	if !present {
		return nil, nil
	}
	list, ok := field.([]any)
	if !ok {
		return nil, fmt.Errorf("field %q: want a list, have %v", key, field)
	}
	texts := make([]string, 0, len(list))
	for _, element := range list {
		text, ok := element.(string)
		if !ok {
			return nil, fmt.Errorf("field %q: want texts, have %v", key, element)
		}
		texts = append(texts, text)
	}
	return texts, nil
}
