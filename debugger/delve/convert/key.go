package convert

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/internal/printable"
)

// maxKey bounds the text of a map's key, in bytes.
const maxKey = 200

// KeyText writes the key of a map's entry in one line: whole, because a key that is
// shortened tells nothing apart, and without its type, which that of the map has.
func KeyText(key *api.Variable) string {
	var b strings.Builder
	writeKey(&b, key)
	text := b.String()
	if len(text) > maxKey {
		text = printable.Cut(text, maxKey) + "…"
	}
	return text
}

func writeKey(b *strings.Builder, v *api.Variable) {
	switch {
	case b.Len() > maxKey || v.Unreadable != "" || v.Value != "" && v.Kind != reflect.String:
		b.WriteString(Value(v, 1))
	case v.Kind == reflect.Struct && v.Len > 0 && len(v.Children) > 0:
		writeList(b, v, func(c *api.Variable) string { return c.Name + ": " })
	case v.Kind == reflect.Array && v.Len > 0 && len(v.Children) > 0:
		if v.Children[0].RealType == "uint8" {
			writeBytes(b, v)
			return
		}
		writeList(b, v, func(*api.Variable) string { return "" })
	case v.Kind == reflect.Interface && len(v.Children) > 0 && (v.Children[0].Kind == reflect.Struct || v.Children[0].Kind == reflect.Array):
		b.WriteString(ShortType(v.Children[0].Type))
		writeKey(b, &v.Children[0])
	default:
		b.WriteString(Value(v, 1))
	}
}

// writeList writes "{X: 1, Y: 2}".
func writeList(b *strings.Builder, v *api.Variable, name func(*api.Variable) string) {
	b.WriteByte('{')
	for i := range v.Children {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name(&v.Children[i]))
		writeKey(b, &v.Children[i])
	}
	if int64(len(v.Children)) < v.Len {
		b.WriteString(", …")
	}
	b.WriteByte('}')
}

// writeBytes writes a hash or an identifier as digits: "0x3f2a…".
func writeBytes(b *strings.Builder, v *api.Variable) {
	b.WriteString("0x")
	for i := range v.Children {
		n := 0
		_, _ = fmt.Sscan(v.Children[i].Value, &n) // a number from Delve
		fmt.Fprintf(b, "%02x", n)
	}
	if int64(len(v.Children)) < v.Len {
		b.WriteString("…")
	}
}
