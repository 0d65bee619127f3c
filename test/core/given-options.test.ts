/** Every function that takes options refuses an unknown one. */
import { expect, test } from "vitest";
import { fsStore, fsStoreAt } from "../../adapters/fs/index.js";
import { keyvStore } from "../../adapters/keyv/index.js";
import { memoryStore } from "../../adapters/memory/index.js";
import { posthogSink } from "../../adapters/posthog/index.js";
import { redisStore } from "../../adapters/redis/index.js";
import { s3Store } from "../../adapters/s3/index.js";
import { stageAdmin } from "../../plugins/admin/index.js";
import { approval } from "../../plugins/approval/index.js";
import { auditLog } from "../../plugins/audit-log/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { openTelemetry } from "../../plugins/open-telemetry/index.js";
import { policy } from "../../plugins/policy/index.js";
import { sshTunnel } from "../../plugins/ssh-tunnel/index.js";
import { telemetry } from "../../plugins/telemetry/index.js";
import { simulate } from "../../plugins/testing/index.js";
import { serveUi, ui } from "../../plugins/ui/index.js";
import { webhook } from "../../plugins/webhook/index.js";

const engine = createEngine();
const app = () => engine("a", { stage: "s", stateStore: memoryStore() });
const no = { setUp: () => ({ programs: [] }) };

test.each<[string, unknown, (options: never) => unknown]>([
  ["policy", { rule: { no: () => "is forbidden" } }, policy],
  ["policy", { rules: { no: "is forbidden" } }, policy],
  ["policy", undefined, policy],
  ["approval", { need: [] }, approval],
  ["approval", { reasons: ["delete"] }, approval],
  ["auditLog", { path: "a" }, auditLog],
  ["auditLog", {}, auditLog],
  ["webhook", { url: "https://x.example", formatt: () => ({}) }, webhook],
  ["webhook", {}, webhook],
  ["sshTunnel", { host: "h", prt: 1 }, sshTunnel],
  ["openTelemetry", { trace: {} }, openTelemetry],
  ["telemetry", { sinks: {} }, telemetry],
  ["ui", { prot: 1 }, ui],
  ["serveUi", { store: memoryStore(), prot: 1 }, serveUi],
  ["fsStore", { path: "mine" }, fsStore],
  ["fsStore", { root: 5 }, fsStore],
  ["fsStoreAt", { durable: true }, (options) => fsStoreAt("mine", options)],
  ["keyvStore", { name: "x" }, (options) => keyvStore(new Map(), options)],
  ["redisStore", { url: "redis://x", prefx: "x" }, redisStore],
  ["s3Store", { bucket: "b", prefx: "x" }, s3Store],
  ["posthogSink", { key: "k", hots: "https://x.example" }, posthogSink],
  ["stageAdmin", { app: "a", stage: "s", pasword: "x" }, (options) => stageAdmin(memoryStore(), options)],
  ["simulate", { ...no, histores: 5 }, simulate],
  ["app.finalize", { nop: true }, async (options) => (await app()).finalize(options)],
  ["engine.run", { fore: true }, async (options) => (await app()).run(() => engine.run("child", options, () => 1))],
])("%s() does not ignore %j", async (_name, options, call) => {
  const refused = async () => Reflect.apply(call, undefined, [options]);
  await expect(refused()).rejects.toMatchObject({ code: "INVALID_OPTION" });
});
