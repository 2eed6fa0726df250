package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/session"
)

// runOptions are the options of bench run.
type runOptions struct {
	*cli.System
	out, errs io.Writer

	caseFlags
	columnFlags
	trials, rounds, jobs int
	shard                string
	dir, keep            string
	limit                time.Duration
	replay, yes, plan    bool
	failUnder            []string
	view                 viewFlags

	settings config.Config
}

func newRun(sys *cli.System) *cobra.Command {
	o := &runOptions{System: sys}
	c := &cobra.Command{
		Use:   "run",
		Short: "Run models and prompts on cases, without repeating what is stored",
		Long: "run makes a plan of models, prompts, cases and trials, estimates its cost, and runs it. Every answer is stored when\n" +
			"it arrives, so the same command continues a run that was killed. Errors of a provider do not count as results; their\n" +
			"cells are tried again at the end and by the same command. With --replay the stored answers are scored again, and no\n" +
			"model is asked. Exit codes: 0, 1 error, 2 usage, 6 below --fail-under.",
		Example: "pausetui bench run --models builtin --cases 'class:nil-*'\npausetui bench run --models 'ollama/*,builtin' --prompts auto,minimal --trials 3\n" +
			"pausetui bench run --models scripted/strong --shard 2/8 --dir shard2 --yes --fail-under right=0.6",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.out, o.errs = c.OutOrStdout(), c.ErrOrStderr()
			return o.run(c.Context())
		},
	}
	o.register(c.Flags())
	return c
}

func (o *runOptions) register(s *pflag.FlagSet) {
	o.columnFlags.register(s)
	o.caseFlags.register(s)
	s.IntVar(&o.trials, "trials", 1, "ask each model `N` times about each case, with different seeds")
	s.IntVar(&o.rounds, "rounds", flags.DefaultRounds, "send a fix that failed back to its model at most `N` times")
	s.IntVar(&o.jobs, "jobs", 2, "run `N` cells at a time; local models are always asked one at a time")
	s.StringVar(&o.shard, "shard", "", "run part `I/N` of the plan (default all; in an Indexed Job of Kubernetes, JOB_COMPLETION_INDEX with --shard /N)")
	s.StringVar(&o.dir, "dir", "", "keep the run in `DIR` (default a directory for the plan in $XDG_STATE_HOME/pausetui/bench)")
	s.StringVar(&o.keep, "keep", "", "keep the modules and logs of open cases in `DIR`")
	s.DurationVar(&o.limit, "limit", 30*time.Minute, "let a cell take at most `TIME`")
	s.BoolVar(&o.replay, "replay", false, "score the stored answers of the run in --dir (default the newest) again, without asking a model")
	s.BoolVar(&o.yes, "yes", false, "start without asking")
	s.BoolVar(&o.plan, "plan", false, "print the plan and its estimate without running it")
	s.StringSliceVar(&o.failUnder, "fail-under", nil, "exit with 6 if a score of a column is below its limit, `SCORE=SHARE`, such as right=0.6")
	o.view.register(s)
}

func (o *runOptions) run(ctx context.Context) error {
	limits, err := parseLimits(o.failUnder)
	if err != nil {
		return cli.UsageError(err)
	}
	if o.trials < 1 || o.rounds < 0 || o.jobs < 1 || o.limit <= 0 {
		return cli.UsageError(errors.New("--trials and --jobs: want 1 or more; --rounds: 0 or more; --limit: a time"))
	}
	shard, err := o.parseShard()
	if err != nil {
		return cli.UsageError(err)
	}
	plan, options, err := o.prepareRun(ctx)
	if err != nil {
		return err
	}
	if o.dir == "" && o.plan {
		return o.confirm(plan, estimateRun(plan, plan.Cells(shard), options.Models, options.Jobs, o.settings))
	}
	if o.dir == "" {
		o.dir = filepath.Join(runsDir(), plan.ID())
	}
	store, err := matrix.Create(o.dir, plan)
	if err != nil {
		return err
	}
	troubled, err := o.carryOut(ctx, store, options, shard)
	if closing := store.Close(); err == nil {
		err = closing
	}
	if err != nil || o.plan {
		return err
	}
	return o.finish(troubled, limits)
}

// carryOut shows the plan, asks, and runs it.
func (o *runOptions) carryOut(ctx context.Context, store *matrix.Store, options runner.Options, shard matrix.Shard) (troubled int, err error) {
	var left []matrix.Cell
	for _, c := range store.Plan().Cells(shard) {
		if o.replay || !store.Done(c) {
			left = append(left, c)
		}
	}
	p := store.Plan()
	if err := o.confirm(p, estimateRun(p, left, options.Models, options.Jobs, o.settings)); err != nil || o.plan || len(left) == 0 {
		return 0, err
	}
	if o.replay {
		if err := store.Forget(); err != nil {
			return 0, err
		}
	}
	progress := newProgress(o.errs, p, len(left), options.Jobs, cli.IsTerminal(o.errs))
	options.Store, options.Shard, options.Report = store, shard, progress.show
	troubled, err = runner.Run(ctx, options)
	progress.end()
	if ctx.Err() != nil {
		printable.Fprintln(o.errs, "Interrupted. The same command continues from here.")
		return troubled, cli.ErrInterrupted
	}
	return troubled, err
}

// finish prints the matrix, and says by the error how the run went.
func (o *runOptions) finish(troubled int, limits []limit) error {
	s, err := scores.Summarize(o.dir)
	if err != nil {
		return err
	}
	troubles, err := matrix.Troubles(o.dir)
	if err != nil {
		return err
	}
	if err := o.view.text(o.out, s, stillTroubled(o.dir, s.Plan, troubles)); err != nil {
		return err
	}
	if o.shard == "" && s.Done == s.Plan.Len() {
		if err := useScores(o.errs, s); err != nil {
			return err
		}
	}
	if troubled > 0 {
		return advice.Add(fmt.Errorf("%d cells have no result because of errors", troubled), "the same command tries them again")
	}
	return below(s, limits)
}

// useScores has models be chosen by a run from now on.
func useScores(w io.Writer, s *scores.Summary) error {
	board := s.Scoreboard()
	if len(board) == 0 {
		return nil
	}
	if err := choose.SaveBench(choose.BenchPath(), board); err != nil {
		return err
	}
	_, err := io.WriteString(w, "When you name no model, pausetui now chooses by these figures: pausetui models list.\n")
	return err
}

// parseShard reads --shard. Of "/N" the number comes from an Indexed Job.
func (o *runOptions) parseShard() (matrix.Shard, error) {
	text := o.shard
	if strings.HasPrefix(text, "/") {
		index := os.Getenv("JOB_COMPLETION_INDEX")
		var n int
		if _, err := fmt.Sscan(index, &n); err != nil {
			return matrix.Shard{}, fmt.Errorf("--shard %s: JOB_COMPLETION_INDEX is %q; want a number", text, index)
		}
		text = fmt.Sprintf("%d%s", n+1, text)
	}
	if text == "" {
		return matrix.Shard{}, nil
	}
	return matrix.ParseShard(text)
}

// prepareRun makes the plan, and what is needed to run it.
func (o *runOptions) prepareRun(ctx context.Context) (matrix.Plan, runner.Options, error) {
	dir, err := o.Dir()
	if err != nil {
		return matrix.Plan{}, runner.Options{}, err
	}
	if o.settings, err = o.Config(dir); err != nil {
		return matrix.Plan{}, runner.Options{}, err
	}
	settings := o.settings
	cases, shownCases, err := o.cases(o.errs)
	if err != nil {
		return matrix.Plan{}, runner.Options{}, err
	}
	plan, models, err := o.makePlan(ctx, dir, shownCases)
	if err != nil {
		return plan, runner.Options{}, err
	}
	keep := o.keep
	if keep != "" {
		if keep, err = filepath.Abs(keep); err != nil {
			return plan, runner.Options{}, err
		}
	}
	common := options.Session{Version: cli.Version(), Privacy: options.Privacy{AllowRemote: o.allowRemote}, Proofs: options.Proofs{AllowUnsandboxed: o.unsandboxed}}
	common.Privacy.Redact, common.Privacy.RedactLocalOff = cli.Redaction(settings)
	return plan, runner.Options{Cases: cases, Models: models, Engine: common, Jobs: o.jobs, Limit: o.limit, Replay: o.replay, Keep: keep}, nil
}

// makePlan makes the plan of the flags; for --replay it is that of the run.
func (o *runOptions) makePlan(ctx context.Context, dir string, cases []matrix.Case) (matrix.Plan, map[string]runner.Model, error) {
	if o.replay {
		run, err := runDir(o.dir)
		if err != nil {
			return matrix.Plan{}, nil, err
		}
		o.dir = run
		plan, err := matrix.ReadPlan(run)
		if err == nil {
			err = sameCases(plan, cases)
		}
		return plan, nil, err
	}
	columns, models, err := o.columns(ctx, dir, o.settings)
	if err != nil {
		return matrix.Plan{}, nil, err
	}
	plan, err := matrix.NewPlan(columns, cases, o.trials, o.rounds)
	if err != nil {
		err = cli.UsageError(err)
	}
	return plan, models, err
}

// sameCases fails where a case of a plan is missing or is another one now: what
// was answered about that says nothing about this.
func sameCases(p matrix.Plan, cases []matrix.Case) error {
	for _, c := range p.Cases {
		if !slices.Contains(cases, c) {
			return advice.Add(fmt.Errorf("the case %s of the run is not there, or has changed", session.Clean(c.Name)), "--cases names the directory that it came from; a changed case needs a new run")
		}
	}
	return nil
}
