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

// A Prompt is a prompt without any relevant memory.
type Prompt struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// A Silence says for what share of such prompts nothing is injected. Each prompt is sent in every project
// that has memories.
type Silence struct {
	Set      string             `json:"set"`
	Prompts  int                `json:"prompts"`
	Projects int                `json:"projects"`
	Memories int                `json:"memories"`
	Silent   float64            `json:"silent"` // share of the prompts, over all projects, for which nothing is injected
	Kinds    map[string]float64 `json:"kinds"`  // the same for each kind of prompt
	Injected []Mistake          `json:"told"`
}

// A Mistake is a prompt for which something was injected, with the injected text in the first such
// project.
type Mistake struct {
	Prompt
	Projects []string       `json:"projects"`
	Bites    []api.Injected `json:"bites"`
}

// ReadPrompts reads prompts from a file of JSON Lines.
func ReadPrompts(path string) ([]Prompt, error) {
	var all []Prompt
	seen := map[string]bool{}
	err := readLines(filepath.Dir(path), filepath.Base(path), func(p Prompt) error {
		if p.Text == "" {
			return errors.New("text: must not be empty")
		}
		all = append(all, p)
		return newID(seen, p.ID)
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("read %s: it has no prompt", path)
	}
	return all, err
}

// RunSilence sends prompts to an engine with the memories of dir, a collection or a folder with
// transcripts.
func RunSilence(ctx context.Context, dir string, prompts []Prompt, set []string, log *slog.Logger) (s *Silence, err error) {
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
		Kinds: map[string]float64{}, Injected: []Mistake{},
	}
	for _, p := range prompts {
		mistake, err := e.sendToProjects(ctx, p, projects, settings)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", p.ID, err)
		}
		s.add(mistake)
	}
	s.divide(prompts)
	return s, nil
}

// sendToProjects sends p in each of the projects.
func (e *tempEngine) sendToProjects(ctx context.Context, p Prompt, projects []memory.Project, settings config.Settings) (Mistake, error) {
	m := Mistake{Prompt: p}
	for _, project := range projects {
		res, err := e.Recall.Recall(ctx, e.request(p.Text, project, settings))
		if err != nil {
			return m, err
		}
		if len(res.Injected) > 0 {
			m.Projects = append(m.Projects, project.Name)
		}
		if len(m.Bites) == 0 {
			m.Bites = res.Injected
		}
	}
	return m, nil
}

func (s *Silence) add(m Mistake) {
	silent := float64(s.Projects - len(m.Projects))
	s.Silent += silent
	s.Kinds[m.Kind] += silent
	if len(m.Projects) > 0 {
		s.Injected = append(s.Injected, m)
	}
}

// divide turns the sums into shares.
func (s *Silence) divide(prompts []Prompt) {
	of := map[string]int{}
	for _, p := range prompts {
		of[p.Kind] += s.Projects
	}
	for kind, n := range of {
		s.Kinds[kind] /= float64(n)
	}
	s.Silent /= float64(len(prompts) * s.Projects)
}

// openMemories opens an engine with the memories of dir: those of its transcripts if it has any, else its
// documents.
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
