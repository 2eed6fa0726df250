package prompts

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/earlier"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
)

// draft gathers the recorded stop and prepares the question.
func (o *renderOptions) draft(ctx context.Context) (d prompts.Draft, missing []string, err error) {
	l, err := readLibrary(o.System, o.Errs)
	if err != nil {
		return d, nil, err
	}
	profile, err := l.Get(o.name)
	if err != nil {
		return d, nil, err
	}
	journal, err := o.journal()
	if err != nil {
		return d, nil, err
	}
	here, err := o.Dir()
	if err != nil {
		return d, nil, err
	}
	stop, err := earlier.Recorded(ctx, journal, o.stop, here)
	if err != nil {
		return d, nil, err
	}
	info := o.modelInfo()
	screen, err := screenOf(o.System, info)
	if err != nil {
		return d, nil, err
	}
	options := screen.Options(info.Context)
	options.Goroutines = stop.Goroutines
	gathered, err := prompts.Gather(ctx, stop.Evidence, options)
	if err != nil {
		return d, nil, fmt.Errorf("gather the context: %w", err)
	}
	gathered.Question = o.question
	missing = append(stop.Missing, profile.Missing(gathered, info)...)
	if !profile.SuitsClass(gathered.Class) {
		missing = append(missing, fmt.Sprintf("%s is not written for %s", profile.Name, gathered.Class))
	}
	counts := prompts.NewEstimator(prompts.TokensFile())
	d = prompts.NewDraft(profile, info, gathered, counts.BytesPerToken(info))
	if len(o.without) > 0 {
		d = d.Without(o.without...)
	}
	if o.expected != "" {
		d = d.Expecting(o.expected)
	}
	return d, missing, nil
}

// journal finds the session: a file, or one of the module's logs.
func (o *renderOptions) journal() (string, error) {
	if info, err := os.Stat(o.session); err == nil && info.Mode().IsRegular() {
		if log, ok := strings.CutSuffix(o.session, ".md"); ok {
			return log + ".jsonl", nil
		}
		return o.session, nil
	}
	e, err := cli.FindSession(o.logDir, []string{o.session})
	if err != nil {
		return "", advice.Add(err, "pausetui debug or pausetui fix records one; pausetui sessions list names them")
	}
	return e.Journal, nil
}

// screenOf is the redaction for a model, as the configuration says.
func screenOf(sys *cli.System, info llm.Info) (*prompts.Screen, error) {
	root, err := sys.ModuleRoot()
	if err != nil {
		return nil, err
	}
	c, err := config.Load(root)
	if err != nil {
		return nil, err
	}
	settings, localOff := cli.Redaction(c)
	if localOff && !info.Remote {
		return prompts.NewScreen(redact.Off()), nil
	}
	return prompts.NewScreen(redact.New(settings, os.Environ())), nil
}
