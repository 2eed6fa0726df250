// Package pause names blocks of work and what they are meant to do.
//
// A program wraps the parts of its work in [Run]:
//
//	orders, err := pause.Run(ctx, "import-orders", "Parse the CSV export and sum each order",
//		func(ctx context.Context) ([]Order, error) { return parse(file) },
//		pause.Inputs(file))
//
// Without pausetui, Run only calls the function, and a panic propagates unchanged. The options
// [AsError], [Retry] and [Handle] turn a panic into an error, try again, or call a
// handler. [Guard] writes a report when the program crashes.
//
// Under pausetui, a panic inside a block is shown with the block's id and intent,
// and the results of blocks that have finished are stored. When a fix is applied
// and the program starts again, finished blocks return their stored results, and
// the program continues at the block that failed, with the new code.
//
// Rules for stored results:
//
//   - A result is stored when the block returns a nil error.
//   - It is returned only if nothing changed: the block's code, what that code
//     depends on in your modules (functions, embedded files, the places where
//     package-level variables are set), and the values named by [Inputs]. Name
//     everything that the block uses and another part of the program makes: the
//     text of a file, a configuration, an earlier result.
//   - A block that runs more than once needs different inputs each time. If the
//     inputs repeat, nothing is stored, because results could be mixed up.
//   - A result that JSON cannot encode and decode without loss is not stored, and
//     pausetui says so: functions, channels, structs with unexported fields (unless
//     they implement json.Marshaler), and anything over 8 MB.
//   - A block with an effect beyond its result, such as writing a file, should run
//     every time: give it the option [Always].
//
// The package imports the standard library only, and nothing of pausetui.
package pause
