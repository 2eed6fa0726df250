#!/usr/bin/env bash
# Runs pausetui fix for action.yml. It fails only where pausetui itself fails: that the
# program stops is known already, and the report says why.
set -uo pipefail

mkdir -p "$OUT"
flags=()
while IFS= read -r flag; do [ -n "$flag" ] && flags+=("$flag"); done <<<"${FLAGS:-}"
[ "${TEST:-}" = true ] && flags+=(--test)
args=()
while IFS= read -r arg; do [ -n "$arg" ] && args+=("$arg"); done <<<"${ARGS:-}"

pausetui fix "${flags[@]}" --log-dir "$OUT/session" \
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
[ -s "$OUT/report.json" ] && outcome=$(sed -n 's/^  "outcome": "\([a-z]*\)".*/\1/p' "$OUT/report.json" | head -n 1)
patch=
[ -s "$OUT/fix.patch" ] && patch=$OUT/fix.patch
{
	echo "outcome=$outcome"
	echo "patch=$patch"
	echo "sarif=$OUT/pausetui.sarif"
	echo "comment=$OUT/comment.md"
} >>"$GITHUB_OUTPUT"
[ -s "$OUT/comment.md" ] && cat "$OUT/comment.md" >>"$GITHUB_STEP_SUMMARY"
[ "$outcome" != failed ]
