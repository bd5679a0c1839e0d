package embedding

import "math"

// BM25 within a batch (Robertson and Zaragoza 2009), with the constants of the index.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// lexical sets bonus (size×size) to share times the BM25 score of every body for every query. With this
// in the logits, the model need not learn what equal words already show.
func (b *batch) lexical(bonus []float32, share float64) {
	clear(bonus)
	average := float64(len(b.slots)-b.ends[b.size-1]) / float64(b.size)
	from := 0
	for query, end := range b.ends[:b.size] {
		row := bonus[query*b.size:][:b.size]
		for i, slot := range b.slots[from:end] {
			if !contains(b.slots[from:from+i], slot) {
				b.scoreTerm(row, b.users[b.first[slot]:b.first[slot+1]], share, average)
			}
		}
		from = end
	}
}

func contains(slots []uint32, slot uint32) bool {
	for _, s := range slots {
		if s == slot {
			return true
		}
	}
	return false
}

// scoreTerm adds the score of one term to each body among its users. These must be in order, each
// repeated for each occurrence of the term.
func (b *batch) scoreTerm(row []float32, users []uint32, share, average float64) {
	for len(users) > 0 && users[0] < uint32(b.size) {
		users = users[1:]
	}
	holders := 0
	for i, text := range users {
		if i == 0 || users[i-1] != text {
			holders++
		}
	}
	idf := math.Log(1 + (float64(b.size-holders)+0.5)/(float64(holders)+0.5))
	for len(users) > 0 {
		text, count := int(users[0]), 1
		for count < len(users) && users[count] == users[0] {
			count++
		}
		length := float64(b.ends[text] - b.ends[text-1])
		frequency := float64(count)
		norm := bm25K1 * (1 - bm25B + bm25B*length/average)
		row[text-b.size] += float32(share * idf * frequency * (bm25K1 + 1) / (frequency + norm))
		users = users[count:]
	}
}
