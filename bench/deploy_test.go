package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	batch "k8s.io/api/batch/v1"
)

// The manifest is a Job of the API, with nothing that the API does not know, and
// it has as many parts as its shards.
func TestManifest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "deploy", "bench-job.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	var job batch.Job
	if err := strict.Decode(&job); err != nil {
		t.Fatal(err)
	}
	if job.APIVersion != batch.SchemeGroupVersion.String() || job.Kind != "Job" || *job.Spec.CompletionMode != batch.IndexedCompletion {
		t.Errorf("%s %s %s", job.APIVersion, job.Kind, *job.Spec.CompletionMode)
	}
	line := strings.Join(job.Spec.Template.Spec.Containers[0].Args, " ")
	if want := fmt.Sprintf("--shard /%d ", *job.Spec.Completions); !strings.Contains(line, want) {
		t.Errorf("%q is not in %s", want, line)
	}
}
