package llm

// Find returns the first of a provider and the providers it wraps that is a T,
// for example a Puller. A wrapper says what it wraps with an Unwrap method.
func Find[T any](p Provider) (T, bool) {
	for p != nil {
		if found, ok := p.(T); ok {
			return found, true
		}
		wrapper, ok := p.(interface{ Unwrap() Provider })
		if !ok {
			break
		}
		p = wrapper.Unwrap()
	}
	var none T
	return none, false
}
