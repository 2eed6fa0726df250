package config

import (
	"reflect"
	"strings"
	"time"
)

// The places of values that no file says.
const (
	FromDefault = "default"
	fromUnset   = "not set"
)

// Setting is one effective value and where it came from.
type Setting struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"` // "/…/config.toml:3", "default", "environment OLLAMA_HOST", "flag --max-rounds"
}

// Place says where a key was set: "file:line", "default", or what Note said.
func (c Config) Place(key string) string {
	if p, ok := c.places[key]; ok {
		return p
	}
	return FromDefault
}

// Note records that a value, which the caller has put there, came from
// somewhere else than a file: "flag --max-rounds", "environment OLLAMA_HOST".
func (c *Config) Note(key, from string) { c.places[key] = from }

// Settings lists every effective value, in the order of the tables.
func (c Config) Settings() []Setting {
	var list []Setting
	c.collect(&list, "", reflect.ValueOf(c))
	return list
}

// collect walks the tables. Values that were not set and that mean nothing are
// left out below tables with names of their own: a profile is as long as its file.
func (c Config) collect(list *[]Setting, prefix string, v reflect.Value) {
	for f := range v.Type().Fields() {
		value, name := v.FieldByIndex(f.Index), f.Tag.Get("toml")
		switch {
		case f.Anonymous:
			c.collect(list, prefix, value)
			continue
		case name == "" || name == "-":
			continue
		}
		c.setting(list, prefix+name, value)
	}
}

func (c Config) setting(list *[]Setting, key string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		c.collect(list, key+".", v)
	case reflect.Map:
		for _, name := range sortedMapKeys(v) {
			c.setting(list, key+"."+quoted(name), v.MapIndex(reflect.ValueOf(name)))
		}
	default:
		place, named := c.places[unquoted(key)]
		if !named {
			if strings.Count(key, ".") > 1 && v.IsZero() {
				return
			}
			place = FromDefault
		}
		*list = append(*list, Setting{Key: key, Value: plain(v), From: place})
	}
}

// plain is a value as JSON and people read it.
func plain(v reflect.Value) any {
	if d, ok := v.Interface().(Duration); ok {
		return time.Duration(d).String()
	}
	if v.Kind() == reflect.Slice && v.IsNil() {
		return []string{}
	}
	return v.Interface()
}

func sortedMapKeys(v reflect.Value) []string {
	names := map[string]bool{}
	for _, k := range v.MapKeys() {
		names[k.String()] = true
	}
	return sortedKeys(names)
}

// quoted writes a name as TOML wants it.
func quoted(name string) string {
	for _, r := range name {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return `"` + name + `"`
		}
	}
	return name
}

func unquoted(key string) string { return strings.ReplaceAll(key, `"`, "") }
