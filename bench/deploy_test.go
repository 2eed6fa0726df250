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
)

// job is what the manifest uses of a Job of batch/v1
// (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/).
type job struct {
	APIVersion, Kind string
	Metadata         struct{ Name string }
	Spec             struct {
		CompletionMode           string
		Completions, Parallelism int
		BackoffLimitPerIndex     int
		MaxFailedIndexes         int
		Template                 struct {
			Spec struct {
				RestartPolicy   string
				SecurityContext struct {
					RunAsNonRoot       bool
					RunAsUser, FSGroup int
				}
				Containers []container
				Volumes    []map[string]any
			}
		}
	}
}

type container struct {
	Name, Image  string
	Command      []string
	Args         []string
	Env          []struct{ Name, Value string }
	Resources    map[string]map[string]any
	VolumeMounts []struct{ Name, MountPath string }
}

// The manifest is an indexed Job with no other fields than these, and it has as
// many parts as its shards.
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
	var j job
	if err := strict.Decode(&j); err != nil {
		t.Fatal(err)
	}
	if j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Spec.CompletionMode != "Indexed" {
		t.Errorf("%s %s %s", j.APIVersion, j.Kind, j.Spec.CompletionMode)
	}
	line := strings.Join(j.Spec.Template.Spec.Containers[0].Args, " ")
	if want := fmt.Sprintf("--shard /%d ", j.Spec.Completions); !strings.Contains(line, want) {
		t.Errorf("%q is not in %s", want, line)
	}
}
