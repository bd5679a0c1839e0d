package daemon

import (
	"context"
	"os"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine"
)

// The daemon answers these routes itself, even if the engine is not open yet.

func (d *Daemon) answerConfig(context.Context, struct{}) (api.ConfigReply, engine.Commit, error) {
	s := d.settings.Current()
	var b strings.Builder
	if err := s.Config.Write(&b); err != nil {
		return api.ConfigReply{}, nil, err
	}
	out := api.ConfigReply{TOML: b.String()}
	if s.Err != nil {
		out.Problem = s.Err.Error()
	}
	return out, nil, nil
}

func (d *Daemon) answerHealth(context.Context, struct{}) (api.Health, engine.Commit, error) {
	h := api.Health{
		Status:  "ok",
		PID:     os.Getpid(),
		Uptime:  time.Since(d.began).Round(time.Second).String(),
		Version: d.version,
		Home:    d.home,
		Index:   "opening",
	}
	if err := d.settings.Current().Err; err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			h.AddProblem(api.SettingsProblem, "", line)
		}
	}
	if e, ok := d.engine.now(); ok {
		e.Health(&h)
	} else {
		h.Opening = true
	}
	return h, nil, nil
}

func (d *Daemon) answerShutdown(context.Context, struct{}) (struct{}, engine.Commit, error) {
	d.log.Info("asked to end")
	d.stop()
	return struct{}{}, nil, nil
}
