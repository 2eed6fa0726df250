package literal

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/verify/regress/value"
)

// code fills the holes of a piece of source; self is what Self stands for.
func (w *Writer) code(c value.Code, self string) (string, error) {
	locals := map[value.Local]string{}
	var b strings.Builder
	for i, part := range c {
		text, err := w.part(part, self, locals)
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(text, "&") && i+1 < len(c) && selects(c[i+1]) {
			text = "(" + text + ")"
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// selects tells a part that goes on with a field or a method.
func selects(part any) bool {
	text, ok := part.(string)
	return ok && strings.HasPrefix(text, ".")
}

func (w *Writer) part(part any, self string, locals map[value.Local]string) (string, error) {
	switch part := part.(type) {
	case string:
		return part, nil
	case value.Self:
		return self, nil
	case value.Ref:
		if name := w.Imports.Use(part.Path, part.Package); name != "" {
			return name + "." + part.Name, nil
		}
		return part.Name, nil
	case value.Local:
		if locals[part] == "" {
			locals[part] = w.fresh(part.Name)
		}
		return locals[part], nil
	case types.Type:
		return conversion(w.Imports.Type(part)), nil
	case value.Code:
		return w.code(part, self)
	case value.Variable:
		return w.variable(part)
	case *value.Value:
		return w.inCode(part)
	}
	if path, name, ok := value.Import(part); ok {
		return w.Imports.Use(path, name), nil
	}
	return "", fmt.Errorf("a piece of source of type %T", part)
}

// inCode writes a value within a piece of code.
func (w *Writer) inCode(v *value.Value) (string, error) {
	text, err := w.expr(v, place{typed: true, inCode: true})
	if err == nil && text == "" {
		err = ErrCycle
	}
	return text, err
}
