package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// A Chatter is a prompt for which no memory is relevant.
type Chatter struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// A Silence says for what share of such prompts nothing is injected. Each is
// typed in every project that has memories.
type Silence struct {
	Set      string             `json:"set"`
	Prompts  int                `json:"prompts"`
	Projects int                `json:"projects"`
	Memories int                `json:"memories"`
	Silent   float64            `json:"silent"` // share of the prompts, in all projects, for which nothing is injected
	Kinds    map[string]float64 `json:"kinds"`  // the same for each kind of prompt
	Injected []Noise            `json:"told"`
}

// A Noise is a prompt for which something was injected, with what was injected
// in the first such project.
type Noise struct {
	Chatter
	Projects []string   `json:"projects"`
	Bites    []api.Bite `json:"bites"`
}

// ReadChatter reads prompts from a file of JSON Lines.
func ReadChatter(path string) ([]Chatter, error) {
	var all []Chatter
	seen := map[string]bool{}
	err := readLines(filepath.Dir(path), filepath.Base(path), func(c Chatter) error {
		if c.Text == "" {
			return errors.New("text: must not be empty")
		}
		all = append(all, c)
		return newID(seen, c.ID)
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("read %s: it has no prompt", path)
	}
	return all, err
}

// RunSilence sends prompts to the memories of dir, a collection or a folder
// with transcripts.
func RunSilence(ctx context.Context, dir string, prompts []Chatter, set []string, log *slog.Logger) (s *Silence, err error) {
	settings, err := Settings(set)
	if err != nil {
		return nil, err
	}
	e, err := openMemories(ctx, dir, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	projects := projectsOf(e.memories)
	s = &Silence{
		Set: filepath.Base(dir), Prompts: len(prompts), Projects: len(projects), Memories: len(e.memories),
		Kinds: map[string]float64{}, Injected: []Noise{},
	}
	for _, c := range prompts {
		noise, err := e.sendToProjects(ctx, c, projects, settings)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", c.ID, err)
		}
		s.add(noise)
	}
	s.divide(prompts)
	return s, nil
}

// sendToProjects sends c in each of the projects.
func (e *tempEngine) sendToProjects(ctx context.Context, c Chatter, projects []memory.Project, settings config.Settings) (Noise, error) {
	n := Noise{Chatter: c}
	for _, project := range projects {
		res, err := e.Recall.Recall(ctx, e.request(c.Text, project, settings))
		if err != nil {
			return n, err
		}
		if len(res.Bites) > 0 {
			n.Projects = append(n.Projects, project.Name)
		}
		if len(n.Bites) == 0 {
			n.Bites = res.Bites
		}
	}
	return n, nil
}

func (s *Silence) add(n Noise) {
	silent := float64(s.Projects - len(n.Projects))
	s.Silent += silent
	s.Kinds[n.Kind] += silent
	if len(n.Projects) > 0 {
		s.Injected = append(s.Injected, n)
	}
}

// divide turns the sums into shares.
func (s *Silence) divide(prompts []Chatter) {
	of := map[string]int{}
	for _, c := range prompts {
		of[c.Kind] += s.Projects
	}
	for kind, n := range of {
		s.Kinds[kind] /= float64(n)
	}
	s.Silent /= float64(len(prompts) * s.Projects)
}

// openMemories opens an engine with the memories of dir: those of its
// transcripts if it has any, else its documents.
func openMemories(ctx context.Context, dir string, settings config.Settings, log *slog.Logger) (*tempEngine, error) {
	if _, err := os.Stat(filepath.Join(dir, projectsName)); err == nil {
		return importTranscripts(ctx, dir, settings, log)
	}
	c := &Collection{Name: filepath.Base(dir)}
	if err := c.readDocs(dir); err != nil {
		return nil, err
	}
	if len(c.Docs) == 0 {
		return nil, fmt.Errorf("read %s: it has no document", dir)
	}
	e, err := c.open(ctx, settings, log)
	if err == nil && e.newest.IsZero() {
		e.newest = time.Unix(0, 0)
	}
	return e, err
}
