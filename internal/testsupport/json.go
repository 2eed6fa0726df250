package testsupport

import "encoding/json"

// JSON is a list as it is sent to a model, such as tools and calls; empty for none.
// It panics where a value has no JSON.
func JSON[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(text)
}
