package bert

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The files by which Sentence Transformers describes the steps after BERT. A model without them uses the
// mean of the tokens.
const (
	modulesFile = "modules.json"
	promptsFile = "config_sentence_transformers.json"
	poolingDir  = "1_Pooling" // used if there is no modules.json
)

// A module is one step from a text to its vector.
type module struct {
	Type string `json:"type"` // a Python class
	Path string `json:"path"` // its folder
}

func (m module) name() string { return m.Type[strings.LastIndexByte(m.Type, '.')+1:] }

// readModules returns the modules after BERT: the pooling, and any layers after it.
func readModules(dir string) (pooling string, dense []string, err error) {
	var list []module
	if err := readOptional(dir, modulesFile, &list); err != nil || len(list) == 0 {
		return poolingDir, nil, err
	}
	for i, m := range list {
		switch name, last := m.name(), i == len(list)-1; {
		case m.Path != "" && !filepath.IsLocal(m.Path):
			err = fmt.Errorf("the folder %q is not in this one", m.Path)
		case i == 0 && name == "Transformer" && m.Path == "":
		case i == 1 && name == "Pooling":
			pooling = m.Path
		case i > 1 && name == "Dense":
			dense = append(dense, m.Path)
		case i > 1 && name == "Normalize" && last: // every vector is scaled to length 1
		default:
			err = fmt.Errorf("module %d is %s in %q: must be a Transformer in \"\", a Pooling, any Dense, and perhaps a Normalize", i, name, m.Path)
		}
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", filepath.Join(dir, modulesFile), err)
		}
	}
	if pooling == "" {
		return "", nil, fmt.Errorf("%s: has no Pooling", filepath.Join(dir, modulesFile))
	}
	return pooling, dense, nil
}

// readPooling reports whether the vector of a text is that of its first token, not the mean of all.
func readPooling(dir, module string) (first bool, err error) {
	var p struct {
		Mode     any   `json:"pooling_mode"`
		Prompt   *bool `json:"include_prompt"`
		First    bool  `json:"pooling_mode_cls_token"` // until version 5.3
		Mean     bool  `json:"pooling_mode_mean_tokens"`
		Max      bool  `json:"pooling_mode_max_tokens"`
		Root     bool  `json:"pooling_mode_mean_sqrt_len_tokens"`
		Weighted bool  `json:"pooling_mode_weightedmean_tokens"`
		Last     bool  `json:"pooling_mode_lasttoken"`
	}
	name := path.Join(module, configFile)
	if err := readOptional(dir, name, &p); err != nil {
		return false, err
	}
	both := p.First && p.Mean
	other := both || slices.Contains([]bool{p.Max, p.Root, p.Weighted, p.Last}, true)
	if p.Mode != nil {
		p.First, other = p.Mode == "cls", p.Mode != "cls" && p.Mode != "mean"
	}
	if other {
		return false, fmt.Errorf("%s: the pooling must be either that of the first token (cls) or the mean", filepath.Join(dir, name))
	}
	if p.Prompt != nil && !*p.Prompt {
		return false, fmt.Errorf("%s: include_prompt is false: must be true", filepath.Join(dir, name))
	}
	return p.First, nil
}

// Prompts returns the texts that the model in dir expects before a query and before a document, if its
// files state them.
func Prompts(dir string) (query, document string, err error) {
	var p struct {
		Prompts map[string]string `json:"prompts"`
	}
	if err := readOptional(dir, promptsFile, &p); err != nil {
		return "", "", err
	}
	document = p.Prompts["document"]
	if document == "" {
		document = p.Prompts["passage"]
	}
	return p.Prompts["query"], document, nil
}

// A dense is a layer after the pooling, in a folder of its own.
type dense struct {
	linear
	tanh bool
}

// The activations of such a layer.
const (
	denseIdentity = "torch.nn.modules.linear.Identity"
	denseTanh     = "torch.nn.modules.activation.Tanh"
)

// maxDense is the largest number of outputs of such a layer.
const maxDense = 4096

// readDense reads a layer with in inputs.
func readDense(dir, module string, in int) (d dense, err error) {
	dir = filepath.Join(dir, module)
	c := struct {
		In         int    `json:"in_features"`
		Out        int    `json:"out_features"`
		Bias       bool   `json:"bias"`
		Activation string `json:"activation_function"`
	}{Bias: true, Activation: denseTanh}
	if err := readJSON(dir, configFile, &c); err != nil {
		return d, err
	}
	switch {
	case !slices.Contains([]string{denseIdentity, denseTanh}, c.Activation):
		err = fmt.Errorf("activation_function is %q: must be %s or %s", c.Activation, denseIdentity, denseTanh)
	case c.In != in:
		err = fmt.Errorf("in_features is %d, where %d come in", c.In, in)
	case c.Out < 1 || c.Out > maxDense:
		err = fmt.Errorf("out_features is %d: must be between 1 and %d", c.Out, maxDense)
	}
	if err != nil {
		return d, fmt.Errorf("%s: %w", filepath.Join(dir, configFile), err)
	}
	d.tanh = c.Activation == denseTanh
	err = withTensors(dir, func(ts tensors) error {
		p := picker{tensors: ts}
		d.matrix = p.matrix("linear.weight", c.Out, c.In)
		d.bias = make([]float32, c.Out)
		if c.Bias {
			d.bias = p.numbers("linear.bias", c.Out)
		}
		return p.err
	})
	return d, err
}

func (d *dense) run(x []float32) []float32 {
	var in rounded
	in.set(x, len(x))
	out := make([]float32, len(d.bias))
	d.apply(out, &in)
	if d.tanh {
		for i, v := range out {
			out[i] = float32(math.Tanh(float64(v)))
		}
	}
	return out
}
