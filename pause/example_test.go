package pause_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/pause"
)

func Example() {
	ctx := context.Background()
	line := "3,4,5"
	numbers, err := pause.Run(ctx, "parse", "Read the numbers of a line", func(context.Context) ([]int, error) {
		var list []int
		for _, field := range strings.Split(line, ",") {
			n, err := strconv.Atoi(field)
			if err != nil {
				return nil, err
			}
			list = append(list, n)
		}
		return list, nil
	}, pause.Inputs(line))
	fmt.Println(numbers, err)
	// Output: [3 4 5] <nil>
}

func ExampleAsError() {
	var totals map[string]int
	_, err := pause.Run(context.Background(), "sum", "Sum each order", func(context.Context) (int, error) {
		totals["a"]++
		return totals["a"], nil
	}, pause.AsError())
	var crash *pause.PanicError
	fmt.Println(errors.As(err, &crash), err)
	// Output: true block "sum" (Sum each order): panic: assignment to entry in nil map
}

func ExampleRetry() {
	calls := 0
	_, err := pause.Run(context.Background(), "fetch", "Read the newest rates", func(context.Context) (int, error) {
		if calls++; calls < 3 {
			panic("connection lost")
		}
		return calls, nil
	}, pause.Retry(5, 0))
	fmt.Println(calls, err)
	// Output: 3 <nil>
}

func ExampleHandle() {
	_, err := pause.Run(context.Background(), "sum", "Sum each order", func(context.Context) (int, error) {
		panic("no orders")
	}, pause.Handle(func(e *pause.PanicError) error {
		return fmt.Errorf("nothing to sum: %v", e.Value)
	}))
	fmt.Println(err)
	// Output: nothing to sum: no orders
}
