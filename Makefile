# What people working on pausetui run. `make test` is the README's command.

GOLANGCI = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: test lint golden bench race demo ci

test:
	go test ./...

lint:
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	$(GOLANGCI) run

# rewrite the golden views and texts, then look at the difference
golden:
	go test ./ui/... ./prompts/... ./llm/builtin/... -update

bench:
	go test -run '^$$' -bench . ./build ./debugger/delve ./ui/... ./engine ./patch ./verify
	go run ./bench/perf

race:
	go test -race ./fix ./session ./output ./patch ./prompts ./llm/... ./ui/...

demo:
	go run ./cmd/pausetui debug --stdin examples/calculator/stdin.txt ./examples/calculator

ci:
	.ci/run
