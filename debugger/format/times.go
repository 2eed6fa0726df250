package format

import (
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

var times = map[string]formatter{
	"time.Duration": duration,
	"time.Time":     moment,
	"time.Location": func(d *describer, v debugger.Variable) (Value, error) {
		name, err := d.fieldText(v, "name")
		if name == "" {
			name = "UTC"
		}
		return Value{Text: name}, err
	},
}

func duration(_ *describer, v debugger.Variable) (Value, error) {
	n, err := strconv.ParseInt(debugger.Number(v.Value), 10, 64)
	if err != nil {
		return Value{}, ErrPlain
	}
	return Value{Text: time.Duration(n).String() + " (" + strconv.FormatInt(n, 10) + ")"}, nil
}

// moment writes a time as people do, with its fraction of a second, which
// Delve's own text leaves out, and without the reading of the monotonic clock.
func moment(d *describer, v debugger.Variable) (Value, error) {
	text, _, _ := strings.Cut(v.Value, ", ")
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return Value{}, ErrPlain
	}
	wall, err := d.integer(v, "wall")
	if err != nil {
		return Value{}, err
	}
	t = t.Add(time.Duration(wall & (1<<30 - 1))) // the bits that hold nanoseconds, see package time
	if t.IsZero() {
		return Value{Text: "the zero time"}, nil
	}
	zone := "-07:00"
	if strings.HasSuffix(text, "Z") {
		zone = "UTC"
	}
	return Value{Text: t.Format("2006-01-02 15:04:05.999999999 " + zone)}, nil
}
