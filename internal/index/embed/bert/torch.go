package bert

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/nlpodyssey/gopickle/pytorch"
	"github.com/nlpodyssey/gopickle/types"

	"recollect/internal/system/regular"
)

// openTorch is readTorch for withTensors. The file is not open afterwards.
func openTorch(name string) (tensors, io.Closer, error) {
	ts, err := readTorch(name)
	return ts, io.NopCloser(nil), err
}

// readTorch reads a model's state as written by torch.save. The package used for this panics on
// unexpected input, never returns for some files that are not PyTorch's, and makes room for whatever
// a file claims, so such files are rejected first.
func readTorch(name string) (ts tensors, err error) {
	if err := checkTorch(name); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			ts, err = nil, fmt.Errorf("cannot be read as PyTorch's: %v", r)
		}
	}()
	state, err := pytorch.Load(name)
	if err != nil {
		return nil, fmt.Errorf("cannot be read as PyTorch's: %w", err)
	}
	ts = tensors{}
	add := func(key, value any) {
		name, named := key.(string)
		t, numbers := value.(*pytorch.Tensor)
		if named && numbers && err == nil {
			err = ts.addTorch(name, t)
		}
	}
	switch s := state.(type) {
	case *types.OrderedDict:
		for key, e := range s.Map {
			add(key, e.Value)
		}
	case *types.Dict:
		for _, e := range *s {
			add(e.Key, e.Value)
		}
	default:
		return nil, fmt.Errorf("holds a %T, not a model's state", state)
	}
	return ts, err
}

// checkTorch accepts a zip file, which PyTorch has written since 1.6. What it wrote before cannot be
// checked before it is read.
func checkTorch(name string) error {
	f, err := regular.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	magic := make([]byte, 2)
	if _, err := io.ReadFull(f, magic); err != nil {
		return errors.New("is empty")
	}
	switch {
	case bytes.Equal(magic, []byte("PK")):
		return checkZip(f)
	case magic[0] == 0x80: // a pickle's first instruction
		return errors.New("is as PyTorch wrote before 1.6: use model.safetensors, or save it anew")
	}
	return errors.New("is no file of PyTorch's")
}

// checkZip accepts a complete zip file without compression, whose pickles claim no more than is
// there. PyTorch compresses nothing, and the package reads compressed files incorrectly.
func checkZip(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return fmt.Errorf("its end is missing: %w", err)
	}
	for _, f := range z.File {
		if f.Method != zip.Store {
			return fmt.Errorf("%s in it is compressed, which PyTorch never does", f.Name)
		}
		if path.Base(f.Name) != "data.pkl" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		err = checkPickle(r, info.Size())
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// addTorch adds a tensor in row-major order. Tensors that contain no floats
// are left out, because they are not needed.
func (ts tensors) addTorch(name string, t *pytorch.Tensor) error {
	var numbers []float32
	switch s := t.Source.(type) {
	case *pytorch.FloatStorage:
		numbers = s.Data
	case *pytorch.HalfStorage:
		numbers = s.Data
	case *pytorch.BFloat16Storage:
		numbers = s.Data
	default:
		return nil
	}
	values, err := rowMajor(numbers, t)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	ts[name] = tensor{t.Size, func(dst []float32, from int) error {
		copy(dst, values[from:])
		return nil
	}}
	return nil
}

// rowMajor extracts a tensor of at most two dimensions from its storage.
func rowMajor(numbers []float32, t *pytorch.Tensor) ([]float32, error) {
	if len(t.Size) != len(t.Stride) || len(t.Size) == 0 || len(t.Size) > 2 {
		return nil, fmt.Errorf("has the shape %v", t.Size)
	}
	rows, cols, down, right := 1, t.Size[0], 0, t.Stride[0]
	if len(t.Size) == 2 {
		rows, cols, down, right = t.Size[0], t.Size[1], t.Stride[0], t.Stride[1]
	}
	all := len(numbers)
	if min(rows, cols) < 1 || min(down, right, t.StorageOffset) < 0 || max(rows, cols, down, right, t.StorageOffset) > all || rows*cols > all ||
		t.StorageOffset+(rows-1)*down+(cols-1)*right >= all {
		return nil, fmt.Errorf("of the shape %v does not fit into %d numbers", t.Size, all)
	}
	values := make([]float32, 0, rows*cols)
	for r := range rows {
		for c := range cols {
			values = append(values, numbers[t.StorageOffset+r*down+c*right])
		}
	}
	return values, nil
}
