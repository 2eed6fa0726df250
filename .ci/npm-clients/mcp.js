// The CLI of the MCP inspector joins a session, looks, and proposes a patch.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { program, Session } from "./session.js";

const pausetui = process.argv[2];
const session = new Session(pausetui, "--agents");
process.on("exit", () => session.kill());
await session.says("why: x.terms is nil");

// inspect makes one call: each is an agent of its own. The CLI ends with code when the
// call is answered as expected.
async function inspect(code, ...args) {
  const child = spawn("node_modules/.bin/mcp-inspector", ["--cli", pausetui, "mcp", "-e", "XDG_STATE_HOME=" + session.env.XDG_STATE_HOME, ...args], { env: session.env });
  let out = "";
  let err = "";
  child.stdout.on("data", (d) => (out += d));
  child.stderr.on("data", (d) => (err += d));
  if (process.env.VERBOSE) child.stderr.pipe(process.stderr);
  const done = new Promise((end) => child.on("exit", end));
  if (args.includes("tools/call")) { // which joins; the host lets it in
    await session.says("wants to come in by agent");
    const name = /(\S+) wants to come in by agent(?![\s\S]*wants to come in)/.exec(session.text)[1];
    session.types("admit " + name);
  }
  assert.equal(await done, code, out + err);
  return JSON.parse(out);
}

const { tools } = await inspect(0, "--method", "tools/list", "--strict");
for (const name of ["status", "stack", "values", "eval", "source", "propose_patch", "ask_approval", "apply"]) {
  assert.equal(tools.find((t) => t.name === name)?.inputSchema.type, "object", name);
}

const refusal = 5; // of the CLI, where a tool answers with an error
const call = (name, args, code = 0) => inspect(code, "--method", "tools/call", "--tool-name", name, ...Object.entries(args).flatMap(([k, v]) => ["--tool-arg", `${k}=${v}`]));
const status = await call("status", {});
assert.equal(status.structuredContent.class, "nil-map-write");
assert.match(status.structuredContent.diagnosis, /x\.terms is nil because/);

const fixed = program.replace("&index{}", "&index{terms: map[string]int{}}");
const verdict = await call("propose_patch", { title: "make the map", files: JSON.stringify({ "main.go": fixed }) });
assert.equal(verdict.structuredContent.proved, true, JSON.stringify(verdict));
assert.ok(verdict.structuredContent.checks.some((c) => c.name === "build" && c.status === "pass"), JSON.stringify(verdict));

const refused = await call("apply", { id: verdict.structuredContent.id }, refusal);
assert.equal(refused.isError, true, "an agent applied its fix");
await session.end();
console.log("ok: @modelcontextprotocol/inspector");
process.exit(0);
