package indexing

// compactSegments merges a segment with those before it.
func (list *ConcurrentPostingList[T]) compactSegments(segment int) *posting {
	return list.segments[segment].merge(list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.segments[segment-1], list.last.next)
}
