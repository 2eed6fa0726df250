package fixer

import "github.com/pausetui/pausetui/debugger"

// runtimeRules are the rules for crashes that are not about a value at one
// statement, but about goroutines, recursion, or what a library refused.
var runtimeRules = map[debugger.Class]func(*fixer){
	debugger.Deadlock:      (*fixer).deadlock,
	debugger.ConcurrentMap: (*fixer).concurrentMap,
	debugger.StackOverflow: (*fixer).stackOverflow,
	debugger.Reflect:       func(f *fixer) { f.refusalRules.reflectMisuse() },

	debugger.UnhashableKey:     func(f *fixer) { f.refusalRules.givenUp() },
	debugger.Uncomparable:      func(f *fixer) { f.refusalRules.givenUp() },
	debugger.IteratorContinued: func(f *fixer) { f.refusalRules.givenUp() },

	debugger.Custom:      func(f *fixer) { f.refusalRules.givenUp() },
	debugger.CustomError: func(f *fixer) { f.refusalRules.givenUp() },
}
