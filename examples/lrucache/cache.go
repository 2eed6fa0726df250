package main

// Stats counts what a cache did so far.
type Stats struct {
	Hits    int // Gets that found their key
	Misses  int // Gets that did not
	Dropped int // values that made room for others
}

// Cache keeps the values used most recently, up to its capacity.
// It is not safe for concurrent use.
type Cache struct {
	capacity int
	entries  map[string]*entry
	order    *recency
	stats    Stats
}

// NewCache returns an empty cache for capacity values, at least one.
func NewCache(capacity int) *Cache {
	return &Cache{
		capacity: max(capacity, 1),
		entries:  make(map[string]*entry, capacity),
	}
}

// Get returns the value of key and whether the cache has it.
func (c *Cache) Get(key string) (string, bool) {
	e, ok := c.entries[key]
	if !ok {
		c.stats.Misses++
		return "", false
	}
	c.stats.Hits++
	c.order.remove(e)
	c.order.pushFront(e)
	return e.value, true
}

// Put stores a value, and drops the least recently used when there is no room.
func (c *Cache) Put(key, value string) {
	if e, ok := c.entries[key]; ok {
		e.value = value
		c.order.remove(e)
		c.order.pushFront(e)
		return
	}
	if len(c.entries) == c.capacity {
		oldest := c.order.last
		c.order.remove(oldest)
		delete(c.entries, oldest.key)
		c.stats.Dropped++
	}
	e := &entry{key: key, value: value}
	c.entries[key] = e
	c.order.pushFront(e)
}

// Keys returns the keys in order of use, the latest first.
func (c *Cache) Keys() []string {
	keys := make([]string, 0, len(c.entries))
	for e := c.order.first; e != nil; e = e.after {
		keys = append(keys, e.key)
	}
	return keys
}

// Stats returns the counts so far.
func (c *Cache) Stats() Stats { return c.stats }
