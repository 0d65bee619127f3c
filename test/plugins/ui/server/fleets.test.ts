import { afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { withResolvers } from "../../../../core/base/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import { fleet } from "../../../../plugins/fleet/index.js";
import { readRequest } from "../../../../plugins/fleet/notes.js";
import { FleetRecord, type RunRecord, type StageRecord } from "../../../../plugins/fleet/record.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { type FleetStages, STAGE_OUTCOMES } from "../../../../plugins/ui/api/index.js";
import { startServer } from "../../../../plugins/ui/server/index.js";
import { allRuns, fleetSource, type OwnFleet, stageSource } from "../../../../plugins/ui/sources/index.js";
import { PASSWORD } from "../../../helpers/apps/secret-stage.js";
import { until } from "../../../helpers/time/until.js";
import { type Tenants, tenants } from "../../fleet/tenants.js";
import { ask, HTML, type Visitor, visit } from "../asking.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Wish {
  readonly own?: OwnFleet;
  readonly allowChanges?: boolean;
}

async function shown(store: StateStore, { own, allowChanges = true }: Wish = {}): Promise<Visitor & { port: number }> {
  const [stages, fleets] = [stageSource(store, { env: {} }), fleetSource(store, { env: {}, own })];
  const source = { label: store.name, stages, fleets, runs: allRuns([]), redact: (text: string) => text };
  const server = await startServer(source, { html: HTML, allowChanges });
  ends.push(
    () => server.close(),
    () => stages.close(),
    () => fleets.close(),
  );
  return { ...(await visit(server.url())), port: server.port };
}

/** A fleet of three stages, of which one failed, and one waits for it. */
async function failed(): Promise<Tenants> {
  const all = tenants(["ada", "bob", "eve"]);
  all.stages.set("bob", { plan: "gold", fails: true });
  all.stages.set("eve", { plan: "small", after: ["bob"] });
  await all.fleet().up();
  return all;
}

const at = "/api/fleets/tenants";

/** Writes a run of this many stages that no process conducts. */
async function recorded(
  store: StateStore,
  stages: readonly string[],
  run: object = {},
  stage: object = {},
): Promise<void> {
  const record = await FleetRecord.open("tenants", { stateStore: store, env: {} }, "up");
  const waves = [{ to: "100%", total: stages.length }];
  const began = "2026-03-05T10:00:00.000Z";
  const whole = {
    id: "r",
    command: "up",
    version: "1",
    attempt: 0,
    state: "running",
    began,
    begun: 1,
    waves,
    left: [],
  };
  await record.setRun({ ...whole, ...run } as unknown as RunRecord);
  const known = { outcome: "changed", duration: 5, run: "r", command: "up", wave: 0, ...stage };
  await Promise.all(stages.map((name) => record.setStage(name, known as unknown as StageRecord)));
  await record.close();
}

describe("a fleet", () => {
  test("is in the list of stages in place of its record, before its stages", async () => {
    const { store } = await failed();
    const { get } = await shown(store);
    const { json } = await get("/api/stages");
    expect(json.map(({ stage, isFleet }: { stage: string; isFleet?: true }) => [stage, isFleet])).toEqual([
      ["@fleet", true],
      ["ada", undefined],
    ]);
  });

  test("is reported from the store alone, with its failures and its stages", async () => {
    const { store } = await failed();
    const { get } = await shown(store);
    expect((await get(at)).json).toMatchObject({
      isHeld: false,
      left: 0,
      report: {
        command: "up",
        state: "failed",
        stages: { total: 3, changed: 1, failed: 1, skipped: 1 },
        failures: [{ count: 1, stages: ["bob"], message: 'The plan "gold" is not for sale.' }],
      },
    });
    const { names, outcomes, total, isLast }: FleetStages = (await get(`${at}/stages`)).json;
    expect([names, total, isLast]).toEqual([["ada", "bob"], 2, true]);
    expect([...outcomes].map((digit) => STAGE_OUTCOMES[Number(digit)])).toEqual(["changed", "failed"]);
    expect((await get(`${at}/stages?after=ada`)).json.names).toEqual(["bob"]);
    expect((await get("/api/stages/tenants/ada")).json.lastRun).toMatchObject({ command: "up", outcome: "done" });
  });

  test("names the failure of a stage that recorded nothing itself", async () => {
    const { store } = await failed();
    const { get } = await shown(store);
    expect((await get(`${at}/stage?name=bob`)).json).toMatchObject({
      command: "up",
      outcome: "failed",
      code: "RUN_FAILED",
    });
    for (const path of [`${at}/stage?name=none`, `${at}/stage`, "/api/fleets/other/stage?name=bob"])
      expect(await get(path)).toMatchObject({ status: 200, text: "null" });
  });

  test("shows no secret of an input, also if the failure of a stage names it", async () => {
    const [store, canary] = [memoryStore(), "canary-8f3a61c0d5"];
    const sealed = fleet("tenants", {
      stages: [{ stage: "ada", input: { token: new Secret(canary) } }],
      program: (_app, { token }) => Promise.reject(new Error(`The server refuses "${Secret.unwrap(token)}".`)),
      options: { stateStore: store, password: PASSWORD },
    });
    await sealed.up();
    const { get } = await shown(store);
    const seen = await Promise.all(
      ["/api/stages", at, `${at}/stages`, `${at}/stage?name=ada`].map(async (path) => (await get(path)).text),
    );
    expect(seen.join()).toContain("The server refuses");
    expect(seen.join()).not.toContain(canary);
  });

  test("that was never run, and a name that is none, are refused", async () => {
    const { get } = await shown(memoryStore());
    expect(await get(at)).toMatchObject({ status: 404, json: { code: "NOT_RECORDED" } });
    for (const name of ["..%2F..", "a%2Fb", "%00", "x".repeat(300)])
      expect([name, (await get(`/api/fleets/${name}`)).status]).toEqual([name, 400]);
    for (const path of ["/api/fleets", "/api/fleets/", `${at}/other`, `${at}/stages/x`])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  test.each([
    ["a run that is no object", { waves: 5 }, {}],
    ["an unknown state", { state: "flying" }, {}],
    ["no start", { began: "soon" }, {}],
    ["names that are none", { left: ["a/../b"] }, {}],
    ["counts that are none", { ended: { stages: { total: "many" } } }, {}],
    ["an outcome that is not known", {}, { outcome: "odd" }],
    ["a message that is no text", {}, { outcome: "failed", message: { toString: 1 } }],
  ])("whose record is damaged, with %s, is a problem with a way out", async (_name, run, stage) => {
    const store = memoryStore();
    await recorded(store, ["ada"], run, stage);
    const { get } = await shown(store);
    expect(await get(at)).toMatchObject({
      status: 409,
      json: { code: "STATE_CORRUPT", message: expect.stringMatching(/is damaged: .*engine fleet up/) },
    });
  });

  test("of long names comes in parts, and each answer is below 5 MB", async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `${index}`.padStart(5, "0").padEnd(250, "x"));
    const store = memoryStore();
    await recorded(store, names);
    const { get } = await shown(store);
    const found: string[] = [];
    for (let isLast = false, parts = 0; !isLast; parts++) {
      const { text, json } = await get(`${at}/stages${found.length === 0 ? "" : `?after=${found.at(-1)}`}`);
      expect(text.length).toBeLessThan(5_000_000);
      found.push(...json.names);
      isLast = json.isLast || parts > 9;
    }
    expect(found).toEqual(names);
  });
});

describe("a request to a fleet", () => {
  test("is recorded for the process that conducts the run", async () => {
    const all = tenants(["ada", "bob"]);
    const gate = withResolvers<void>();
    const stop = new AbortController();
    const conducted = all.fleet({ program: () => gate.promise }).up({ signal: stop.signal });
    const { get, post } = await shown(all.store);
    await until(
      async () => (await get(at)).json.report?.state,
      (state) => state === "running",
    );
    const { run } = (await get(at)).json.report;
    for (const request of ["pause", "resume", "cancel"]) {
      expect((await post(`${at}/request`, { run, request })).status).toBe(204);
      expect(await readRequest("tenants", { stateStore: all.store, env: {} })).toMatchObject({ run, request });
    }
    stop.abort();
    gate.resolve();
    await conducted;
    await post(`${at}/request`, { run, request: "cancel" });
    expect((await post(`${at}/request`, { run, request: "pause" })).status).toBe(404);
  });

  test("to retry needs the program, which the server then runs", async () => {
    const all = await failed();
    const conducted: string[] = [];
    const own: OwnFleet = {
      name: "tenants",
      file: "tenants.run.ts",
      options: {},
      conduct: async (command) => {
        conducted.push(command);
      },
      failure: () => new Error("the last one ended early"),
    };
    const without = await shown(all.store);
    const { run } = (await without.get(at)).json.report;
    for (const request of ["retry", "resume"])
      expect(await without.post(`${at}/request`, { run, request })).toMatchObject({
        status: 409,
        json: { message: expect.stringContaining(`engine fleet ${request} FILE`) },
      });
    const { get, post } = await shown(all.store, { own });
    expect((await get(at)).json.program).toEqual({
      file: "tenants.run.ts",
      failure: { code: "FAILED", message: "the last one ended early" },
    });
    expect((await post(`${at}/request`, { run: "an earlier one", request: "retry" })).status).toBe(409);
    expect(conducted).toEqual([]);
    expect((await post(`${at}/request`, { run, request: "retry" })).status).toBe(204);
    expect(conducted).toEqual(["retry"]);
  });

  test("is refused without permission, from another page, and if it is none", async () => {
    const { store } = await failed();
    const looking = await shown(store, { allowChanges: false });
    const { run } = (await looking.get(at)).json.report;
    const body = { run, request: "cancel" };
    expect(await looking.post(`${at}/request`, body)).toMatchObject({ status: 403, json: { code: "READ_ONLY" } });
    const { own, post, port } = await shown(store);
    const json = { "content-type": "application/json" };
    for (const [origin, status] of [
      ["http://evil.example", 403],
      [undefined, 403],
      [`http://127.0.0.1:${port}`, 404],
    ] as const) {
      const headers = { ...own, ...json, origin };
      expect((await ask(port, `${at}/request`, { method: "POST", headers, body })).status).toBe(status);
    }
    const headers = { ...json, origin: `http://127.0.0.1:${port}` };
    expect((await ask(port, `${at}/request`, { method: "POST", headers, body })).status).toBe(401);
    for (const bad of [{}, { run }, { run, request: "destroy" }, { run: 1, request: "pause" }])
      expect((await post(`${at}/request`, bad)).status).toBe(400);
    expect((await post(`${at}/other`, body)).status).toBe(404);
  });
});
