package delve

import (
	"reflect"

	"github.com/go-delve/delve/service/api"
)

// Values are read to a depth of one first. What a second level adds is known then: where
// that is much, as in a slice of structs with maps, only the first elements of each
// value are read that deep, so that no step waits for thousands of values.
const (
	manyValues = 1000
	fewValues  = 4
)

// deepened reads the variables of a list: read is asked for them once or twice.
func deepened(read func(api.LoadConfig) ([]api.Variable, error)) ([]api.Variable, error) {
	list, err := read(childLoad)
	more := 0
	for i := range list {
		more += unread(&list[i])
	}
	if err != nil || more == 0 {
		return list, err
	}
	load := frameLoad
	if more > manyValues {
		load.MaxArrayValues = fewValues
	}
	deep, err := read(load)
	switch {
	case err != nil:
		return list, nil //nolint:nilerr // what was read is worth showing
	case more <= manyValues:
		return deep, nil
	}
	fillIn(list, deep)
	return list, nil
}

// unread estimates how many values another level of depth adds.
func unread(v *api.Variable) int {
	if len(v.Children) == 0 {
		switch v.Kind {
		case reflect.Slice, reflect.Array, reflect.Map:
			return 2 * int(min(v.Len, arrayLoad))
		case reflect.Struct:
			return int(v.Len)
		}
		return 0
	}
	more := 0
	for i := range v.Children {
		more += unread(&v.Children[i])
	}
	return more
}

// fillIn takes from deep what was not read in list; both were read at the same stop.
func fillIn(list, deep []api.Variable) {
	for i := range min(len(list), len(deep)) {
		switch {
		case list[i].Name != deep[i].Name:
			return
		case len(list[i].Children) == 0:
			list[i] = deep[i]
		default:
			fillIn(list[i].Children, deep[i].Children)
		}
	}
}
