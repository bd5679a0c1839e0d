package index

import "sync"

// A cache holds values read from segments, up to a total cost. It has two halves. A used entry moves to
// the recent half. When that half is full, it becomes the older half and the previous older half is
// dropped.
type cache[K comparable, V any] struct {
	limit int

	mu     sync.Mutex
	recent map[K]cached[V]
	older  map[K]cached[V]
	cost   int // cost of the recent half
}

type cached[V any] struct {
	value V
	cost  int
}

func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{limit: limit, recent: map[K]cached[V]{}}
}

func (c *cache[K, V]) get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.recent[key]
	if ok {
		return e.value, true
	}
	if e, ok = c.older[key]; ok {
		c.add(key, e)
	}
	return e.value, ok
}

// put stores a value under key, replacing any previous one.
func (c *cache[K, V]) put(key K, value V, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, cached[V]{value, cost})
}

// add puts an entry into the recent half. If that would exceed half of the limit, the recent half first
// becomes the older one.
func (c *cache[K, V]) add(key K, e cached[V]) {
	c.cost -= c.recent[key].cost
	delete(c.recent, key)
	if c.cost+e.cost > c.limit/2 {
		c.older, c.recent, c.cost = c.recent, map[K]cached[V]{}, 0
	}
	delete(c.older, key)
	c.recent[key] = e
	c.cost += e.cost
}
