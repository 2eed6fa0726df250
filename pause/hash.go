package pause

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
	"time"
)

// maxHashed bounds the values that are hashed, in elements and bytes.
const maxHashed = 64 << 20

var timeType = reflect.TypeFor[time.Time]()

var errTooLarge = errors.New("too large")

// hashValues hashes what the values hold, through pointers and unexported fields.
func hashValues(values []any) (string, error) {
	h := hasher{Hash: sha256.New(), left: maxHashed, seen: map[visit]bool{}}
	for i, v := range values {
		if err := h.value(reflect.ValueOf(v)); err != nil {
			return "", fmt.Errorf("input %d: %w", i+1, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

type hasher struct {
	hash.Hash
	left int
	seen map[visit]bool // pointers that are being followed
	word [9]byte
}

type visit struct {
	at   uintptr
	kind reflect.Type
}

// put hashes a number, with what it is of.
func (h *hasher) put(kind reflect.Kind, n uint64) {
	h.word[0] = byte(kind)
	binary.LittleEndian.PutUint64(h.word[1:], n)
	h.Write(h.word[:])
	h.left -= len(h.word)
}

func (h *hasher) text(s string) {
	h.put(reflect.String, uint64(len(s)))
	h.Write([]byte(s))
	h.left -= len(s)
}

func (h *hasher) value(v reflect.Value) error {
	if h.left <= 0 {
		return errTooLarge
	}
	if !v.IsValid() {
		h.put(reflect.Invalid, 0)
		return nil
	}
	switch k := v.Kind(); k {
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		h.put(k, n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.put(k, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.put(k, v.Uint())
	case reflect.Float32, reflect.Float64:
		h.put(k, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		h.put(k, math.Float64bits(real(v.Complex())))
		h.put(k, math.Float64bits(imag(v.Complex())))
	case reflect.String:
		h.text(v.String())
	default:
		return h.composite(v)
	}
	return nil
}

func (h *hasher) composite(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return h.pointer(v)
	case reflect.Slice, reflect.Array:
		return h.list(v)
	case reflect.Map:
		return h.mapping(v)
	case reflect.Struct:
		h.text(v.Type().String())
		if v.Type() == timeType && v.CanInterface() { // the clock of this run is not part of a time
			h.put(reflect.Struct, uint64(v.Interface().(time.Time).UnixNano()))
			return nil
		}
		for i := range v.NumField() {
			if err := h.value(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if v.Kind() != reflect.UnsafePointer && v.IsNil() { // a function or a channel
		h.put(v.Kind(), 0)
		return nil
	}
	return fmt.Errorf("a %s cannot be compared between runs", v.Type())
}

func (h *hasher) pointer(v reflect.Value) error {
	if v.IsNil() {
		h.put(v.Kind(), 0)
		return nil
	}
	if v.Kind() == reflect.Interface {
		h.text(v.Elem().Type().String())
		return h.value(v.Elem())
	}
	at := visit{v.Pointer(), v.Type()}
	if h.seen[at] {
		h.put(v.Kind(), 2) // a cycle
		return nil
	}
	h.seen[at] = true
	defer delete(h.seen, at)
	h.put(v.Kind(), 1)
	return h.value(v.Elem())
}

func (h *hasher) list(v reflect.Value) error {
	if v.Kind() == reflect.Slice && v.IsNil() {
		h.put(reflect.Slice, math.MaxUint64)
		return nil
	}
	h.put(v.Kind(), uint64(v.Len()))
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		h.left -= v.Len()
		if h.left > 0 {
			h.Write(v.Bytes())
		}
		return nil
	}
	for i := range v.Len() {
		if err := h.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// mapping hashes the entries in the order of their hashes.
func (h *hasher) mapping(v reflect.Value) error {
	if v.IsNil() {
		h.put(reflect.Map, math.MaxUint64)
		return nil
	}
	h.put(reflect.Map, uint64(v.Len()))
	entries := make([]string, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		one := hasher{Hash: sha256.New(), left: h.left, seen: h.seen}
		if err := errors.Join(one.value(it.Key()), one.value(it.Value())); err != nil {
			return err
		}
		h.left = one.left - sha256.Size
		entries = append(entries, string(one.Sum(nil)))
	}
	slices.Sort(entries)
	for _, e := range entries {
		h.Write([]byte(e))
	}
	return nil
}
