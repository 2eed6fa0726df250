package convert

import (
	"github.com/go-delve/delve/service/api"
)

// Field returns a field of a struct, or of the struct that v points at; one
// that is not there is empty.
func Field(v *api.Variable, name string) api.Variable {
	if v.Kind.String() == "ptr" && len(v.Children) > 0 {
		v = &v.Children[0]
	}
	for i := range v.Children {
		if v.Children[i].Name == name {
			return v.Children[i]
		}
	}
	return api.Variable{}
}
