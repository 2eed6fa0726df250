#!/usr/bin/env bash
# Runs pausetui fix for action.yml. It fails only where pausetui itself fails: that the
# program stops is known already, and the report says why.
set -uo pipefail

mkdir -p "$OUT"
rm -f "$OUT"/{report.json,pausetui.sarif,comment.md,fix.patch} # of an earlier step
flags=()
while IFS= read -r flag; do [ -n "$flag" ] && flags+=("$flag"); done <<<"${FLAGS:-}"
[ "${TEST:-}" = true ] && flags+=(--test)
args=()
while IFS= read -r arg; do [ -n "$arg" ] && args+=("$arg"); done <<<"${ARGS:-}"

pausetui fix ${flags[@]+"${flags[@]}"} --log-dir "$OUT/session" \
	--format github --format "json=$OUT/report.json" --format "sarif=$OUT/pausetui.sarif" \
	--format "markdown=$OUT/comment.md" --format "patch=$OUT/fix.patch" \
	"${PACKAGE:-.}" ${args[@]+-- "${args[@]}"}
code=$?

case $code in
0) outcome=clean ;;
3) outcome=verified ;;
4) outcome=unverified ;;
5) outcome=exited ;;
*) outcome=failed ;;
esac
# The report tells them apart further: clean and fixed, unverified and masking.
[ -s "$OUT/report.json" ] && outcome=$(sed -n 's/^  "outcome": "\([a-z]*\)".*/\1/p' "$OUT/report.json" | head -n 1)

# output names a file for later steps; empty where there is none.
output() {
	if [ -s "$OUT/$2" ]; then echo "$1=$OUT/$2"; else echo "$1="; fi
}
{
	echo "outcome=$outcome"
	output patch fix.patch
	output sarif pausetui.sarif
	output comment comment.md
	output report report.json
} >>"$GITHUB_OUTPUT"
[ -s "$OUT/comment.md" ] && cat "$OUT/comment.md" >>"$GITHUB_STEP_SUMMARY"
[ "$outcome" != failed ]
