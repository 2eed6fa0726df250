package convert

import (
	"reflect"

	"github.com/go-delve/delve/service/api"
)

// How deep the variables of a frame are read depends on how much there is: a slice of
// structs with maps leads to thousands of values, and no step is to wait for them.
const (
	manyValues = 300
	wideValues = 2000 // with wide
	fewValues  = 4
)

var (
	// flatLoad reads what lies at the top: elements, and the fields of what a
	// variable points to.
	flatLoad = api.LoadConfig{FollowPointers: true, MaxStringLen: StringLoad, MaxArrayValues: ArrayLoad, MaxStructFields: -1}
	// fewLoad reads as deep as FrameLoad, but the first elements only.
	fewLoad = api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 2, MaxStringLen: StringLoad, MaxArrayValues: fewValues, MaxStructFields: -1}
)

// Deepened reads a list of variables with read: as deep as FrameLoad where that is not
// much. Elsewhere only the first elements are read that deep, and the others flat or,
// with wide, one level deep.
func Deepened(wide bool, read func(api.LoadConfig) ([]api.Variable, error)) ([]api.Variable, error) {
	list, err := read(flatLoad)
	more := unread(list)
	if wide && more > manyValues {
		list, err = read(ChildLoad)
		more = unread(list)
	}
	if err != nil || more == 0 {
		return list, err
	}
	if more <= manyValues || wide && more <= wideValues {
		return read(FrameLoad)
	}
	few, err := read(fewLoad)
	if err == nil {
		fillIn(list, few)
	}
	return list, nil // what was read is worth showing
}

// unread estimates how many values another level of depth adds.
func unread(list []api.Variable) (more int) {
	for i := range list {
		switch v := &list[i]; {
		case len(v.Children) > 0:
			more += unread(v.Children)
		case v.Kind == reflect.Struct:
			more += int(v.Len)
		case v.Kind == reflect.Slice, v.Kind == reflect.Array, v.Kind == reflect.Map:
			more += 2 * int(min(v.Len, ArrayLoad))
		case v.OnlyAddr: // what an interface holds, or a pointer points to
			more++
		}
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
