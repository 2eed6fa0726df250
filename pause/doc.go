// Package pause names blocks of work and what they are meant to do.
//
// A program wraps the parts of its work in [Run]:
//
//	orders, err := pause.Run(ctx, "import-orders", "Parse the CSV export and sum each order",
//		func(ctx context.Context) ([]Order, error) { return parse(file) },
//		pause.Inputs(file))
//
// Alone, Run calls the function, and a panic goes on unchanged. The options
// [AsError], [Retry] and [Handle] turn a panic into an error, try again, or call a
// handler. [Guard] writes a report when the program crashes.
//
// Under pausetui, a panic inside a block is shown with the block's id and intent,
// and the results of blocks that have finished are stored. When a fix is applied
// and the program starts again, finished blocks return their stored results, and
// the work continues at the block that failed, with the new code.
//
// The rules of stored results are:
//
//   - A result is stored when the block returns a nil error.
//   - It is returned again only while the block's code, the code that it calls in
//     the user's modules, and the values named by [Inputs] are the same. Name
//     everything that the block depends on and that another part of the program
//     makes: a file's text, a configuration, an earlier result.
//   - A block that runs more than once needs different inputs each time. One that
//     repeats the same inputs is not stored, because its results could be mixed up.
//   - What does not survive encoding as JSON unchanged is not stored, and pausetui
//     says so. That includes functions, channels, and structs with unexported
//     fields that do not encode themselves.
//   - A block whose effect is not its result (it writes a file, sets a variable of
//     the function around it) should not be stored: give it the option [Always].
//
// The package imports the standard library only, and nothing of pausetui.
package pause
