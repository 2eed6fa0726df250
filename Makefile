# What people working on pausetui run. `make test` is the README's command.

GOLANGCI = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK = go run golang.org/x/vuln/cmd/govulncheck@v1.9.0
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.15.4

.DEFAULT_GOAL := help
.PHONY: help test whole cover lint golden docs logs pictures recording bench bench-sessions race cross demo ci vulnerabilities release-check snapshot release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## run all tests
	go test ./...

whole: ## run all tests with all their cases
	PAUSETUI_WHOLE=1 go test -timeout 60m ./...

cover: ## run all tests, and report what they cover in cover.txt and cover.html
	go test -coverprofile=cover.out -coverpkg=./... ./...
	go tool cover -func=cover.out > cover.txt
	go tool cover -html=cover.out -o cover.html
	tail -n 1 cover.txt

lint: ## gofmt, go vet, golangci-lint
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	$(GOLANGCI) run

golden: ## rewrite golden views and texts; read the difference before you commit it
	go test ./ui ./ui/browser ./ui/diffview ./prompts ./fixer -timeout 60m -update

docs: ## rewrite the generated tables in docs/reference
	go test ./cmd/pausetui -run TestReference -update
	go test ./ui -run TestReferenceHasTheKeyTable -update
	go test . -run TestReferenceOfPackages -update

logs: ## make the session logs of debug/ again, with the current build
	.ci/logs

pictures: ## make the pictures of docs/sessions.md again, with the current build
	.ci/pictures

recording: ## make the README's recordings again, with the current build, and the texts of their scenes
	go run ./bench/recording -o docs

bench: ## benchmarks, and paired runs against dlv
	go test -run '^$$' -bench . ./pause ./source/build ./debugger/delve ./ui/... ./engine ./patch ./verify ./bench/report
	go run ./bench/perf

bench-sessions: ## the browser of past sessions, with 10,000 of them (1 GB, some minutes)
	go run ./bench/perf -sessions 10000 -mb 1000

race: ## the race detector, on the packages that can run with it
	.ci/race

cross: ## type-check for macOS, and for Windows what builds there
	.ci/cross

demo: ## debug one of the examples
	go run ./cmd/pausetui debug --stdin examples/calculator/stdin.txt ./examples/calculator

ci: ## what the hosted workflow runs
	.ci/run

release-check: ## check the release configuration
	$(GORELEASER) check

snapshot: ## build the archives of a release into dist/
	$(GORELEASER) release --snapshot --clean --skip=sbom

release: ## build a release of the tag that is checked out, as a draft on GitHub; needs syft
	$(GORELEASER) release --clean

vulnerabilities: ## look for known vulnerabilities in what is called
	$(GOVULNCHECK) ./...
