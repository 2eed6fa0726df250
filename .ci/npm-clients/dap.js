// Microsoft's test client attaches to a session, looks and drives.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import testsupport from "@vscode/debugadapter-testsupport";
import { Session } from "./session.js";

const port = await new Promise((done) => {
  const s = createServer().listen(0, "127.0.0.1", () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});
const session = new Session(process.argv[2], "--listen", String(port));
process.on("exit", () => session.kill());
await session.says("why: x.terms is nil");

const client = new testsupport.DebugClient("node", "", "go");
client.defaultTimeout = 30000;
await client.start(port);

// What it can do is told at once; to attach is to ask the host.
const initialized = client.waitForEvent("initialized");
const { body: can } = await client.initializeRequest();
assert.ok(can.supportsExceptionInfoRequest && can.supportsLogPoints && can.supportsSetVariable, "capabilities");
await assert.rejects(client.launchRequest({ program: "." }), /the session has started the program/);
const attached = Promise.all([client.attachRequest({}), initialized]);
await session.says("editor wants to come in by editor");
session.types("admit editor");
await session.says("editor: joined as viewer");
session.types("wheel editor");
await session.says("editor: drives now");
await attached;

// The panic that holds the program, with the diagnosis.
let stopped = client.waitForEvent("stopped");
await client.configurationDoneRequest();
let { body: stop } = await stopped;
assert.equal(stop.reason, "exception");
const exception = async (threadId) => {
  const { body } = await client.exceptionInfoRequest({ threadId });
  assert.equal(body.exceptionId, "nil-map-write");
  assert.match(body.description, /x\.terms is nil because/);
};
await exception(stop.threadId);

// A breakpoint, and a new run that stops there.
const path = join(session.dir, "main.go");
const { body: set } = await client.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 14 }] });
assert.ok(set.breakpoints[0].verified, "the breakpoint");
stopped = client.waitForEvent("stopped");
await client.evaluateRequest({ expression: ":restart", context: "repl" });
({ body: stop } = await stopped);
assert.equal(stop.reason, "breakpoint");
const { body: threads } = await client.threadsRequest();
assert.ok(threads.threads.some((t) => t.id === stop.threadId), "the thread that stopped is listed");
const { body: stack } = await client.stackTraceRequest({ threadId: stop.threadId });
assert.equal(stack.stackFrames[0].line, 14);
assert.equal(stack.stackFrames[0].source.path, path);
const frameId = stack.stackFrames[0].id;
const { body: scopes } = await client.scopesRequest({ frameId });
const locals = scopes.scopes.find((s) => s.presentationHint === "locals").variablesReference;
const { body: variables } = await client.variablesRequest({ variablesReference: locals });
const named = Object.fromEntries(variables.variables.map((v) => [v.name, v]));
assert.equal(named.i.value, "0");
assert.match(named.term.value, /go/);
const { body: fields } = await client.variablesRequest({ variablesReference: named.x.variablesReference });
assert.ok(fields.variables.length > 0, "x has fields");
const { body: sum } = await client.evaluateRequest({ expression: "i + 1", frameId, context: "watch" });
assert.equal(sum.result, "1");
const { body: changed } = await client.setVariableRequest({ variablesReference: locals, name: "i", value: "7" });
assert.equal(changed.value, "7");

// On, to the panic; what it printed comes as output.
stopped = client.waitForEvent("stopped");
const printed = client.waitForEvent("output");
await client.continueRequest({ threadId: stop.threadId });
({ body: stop } = await stopped);
assert.equal(stop.reason, "exception");
await session.says("why: x.terms is nil");
await exception(stop.threadId);
assert.ok((await printed).body.output, "output");

await client.disconnectRequest({});
await session.says("editor: left");
await session.end();
console.log("ok: @vscode/debugadapter-testsupport");
process.exit(0);
