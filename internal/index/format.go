package index

import (
	"encoding/binary"
	"fmt"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"recollect/internal/text/activity"
)

// format names the analysis and the fields of the documents. An index of another format is rebuilt, so it
// must change whenever Analyze gives other terms for any text. The rules of activities change it by
// themselves.
var format = "7-" + activity.Version()

// Keys of the values that bleve stores beside the documents.
var (
	formatKey    = []byte("recollect.format")
	totalsKey    = []byte("recollect.totals")
	watermarkKey = []byte("recollect.watermark")

	// staleKey is set while the files may still contain words of deleted memories. So a purge that a
	// crash interrupted is not forgotten.
	staleKey = []byte("recollect.stale")
)

// The fields of a document. None has positions or doc values: the store has
// the text, and scoring needs only frequencies, lengths and neighbours.
const (
	textField    = "text"    // everything that is searched, including the title
	titleField   = "title"   // the terms of the title
	projectField = "project" // name and path of the project, unanalysed
	sourceField  = "source"  // the memory's source, unanalysed

	activityField = "activity" // the activities that the memory concerns

	sequenceField = "sequence" // stored, not searched: see the type sequence
)

// marker is a term that Analyze never returns and that is added to the text of every document. Its
// postings list all documents with their lengths. As a project, it means that a memory holds in all
// projects.
const marker = "\x00"

// totals are sums over all documents of an index, stored beside them.
type totals struct {
	docs, tokens uint64
}

func readTotals(snap *scorch.IndexSnapshot) (totals, error) {
	value, err := snap.GetInternal(totalsKey)
	if err != nil || value == nil {
		return totals{}, err
	}
	if len(value) != 16 {
		return totals{}, fmt.Errorf("read totals: got %d bytes, want 16", len(value))
	}
	return totals{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}, nil
}

func (t totals) encode() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, t.docs), t.tokens)
}

// tokensOfNorm computes the number of tokens in a document's text from bleve's norm: 1/sqrt(tokens + 1)
// as a float32, where the 1 is for the marker. The result is exact up to some four million tokens.
func tokensOfNorm(norm float64) int {
	return int(1/(norm*norm)+0.5) - 1
}
