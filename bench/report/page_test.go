package report

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
)

var shots = flag.String("shots", "", "write a picture of the page to this directory")

// The page works from disk: its style and its script are those that its policy
// allows, nothing of a model's words is markup, and each open case is there.
func TestPageInABrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	p := plan(t, 12, 1, "m/x", matrix.Builtin)
	dir := made(t, p, played(p, 1))
	s, err := Summarize(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Columns[0].Model, s.Plan.Columns[0].Model = "<script>document.title='owned'</script>", "<script>document.title='owned'</script>"
	list, err := Compare(dir, "m/x", dir, matrix.Builtin, Scores[0])
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Page(&b, dir, s, list, View{Times: true}); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	file := filepath.Join(temp, "page.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + filepath.Join(temp, "profile"), "--window-size=1300,1400"}
	if *shots != "" {
		if out, err := exec.CommandContext(ctx, chromium, append(args, "--screenshot="+filepath.Join(*shots, "bench.png"), "file://"+file)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	dom, err := exec.CommandContext(ctx, chromium, append(args, "--dump-dom", "file://"+file)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	text := string(dom)
	for _, want := range []string{
		`<button id="theme" type="button">`, // the script has shown it
		`<div class="find" id="find">`, "<title>Benchmark · pausetui</title>", "case-011", `<svg class="interval"`, "&lt;script&gt;",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(text, "<details class=\"part cell\""); n != p.Len() {
		t.Errorf("%d cells", n)
	}
}
