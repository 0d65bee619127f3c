import { afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { ignore, withResolvers } from "../../../../core/base/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import { digested } from "../../../../core/state/checkpoint/digested-text.js";
import { createEngine } from "../../../../plugins/engine/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { startServer } from "../../../../plugins/ui/server/index.js";
import type { UiSource } from "../../../../plugins/ui/server/routes.js";
import { allRuns, stageSource } from "../../../../plugins/ui/sources/index.js";
import { PASSWORD } from "../../../helpers/apps/secret-stage.js";
import { World } from "../../../helpers/apps/world.js";
import { recordingStore } from "../../../helpers/stores/store-around.js";
import { until } from "../../../helpers/time/until.js";
import { administered, filled } from "../../admin/administered.js";
import { HTML, type Visitor, visit } from "../asking.js";

const given = administered();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function shown(store: StateStore, more: Partial<UiSource> = {}, password?: string): Promise<Visitor> {
  const stages = stageSource(store, { env: password === undefined ? {} : { ENGINE_PASSWORD: password } });
  const source = { label: store.name, stages, runs: allRuns([]), redact: (text: string) => text, ...more };
  const server = await startServer(source, { html: HTML });
  ends.push(
    () => server.close(),
    () => stages.close(),
  );
  return visit(server.url());
}

const at = "/api/stages/app/dev";

describe("a sealed stage", () => {
  /** Forges all entries: the digest fits, the seal cannot. */
  async function forgeAll(store: StateStore): Promise<void> {
    for await (const key of store.list("")) {
      const text = (await store.get(key)) ?? "";
      if (!/checkpoint|history/.test(key)) continue;
      const { digest: _digest, mac, ...body } = JSON.parse(text);
      await store.set(key, `${digested(JSON.stringify(body).replaceAll("size", "SIZE"), () => mac).text}\n`);
    }
  }
  const sized = async () => {
    const all = await given("memory");
    await all.stage.up(() => all.Thing("db", { value: { size: 2 } }));
    return all;
  };

  test("that was changed without its key is not shown as sealed, in the list and on its own pages", async () => {
    const all = await sized();
    await forgeAll(all.store);
    const { get } = await shown(all.store);
    expect((await get("/api/stages")).json).toMatchObject([{ isSealed: true, seal: "unverified" }]);
    for (const path of [at, `${at}/resource?fqn=app/dev/db`])
      expect((await get(path)).json).toMatchObject({ seal: "unverified" });
    expect((await get(`${at}/history`)).json).toMatchObject([{ seal: "unverified" }]);
    expect((await get(`${at}/values?fqn=app/dev/db`)).json).toMatchObject([{ seal: "unverified" }]);
  });

  test("is verified with its key, and in the list from then on; what was changed is forged there too", async () => {
    const all = await sized();
    const { get } = await shown(all.store, {}, PASSWORD);
    expect((await get("/api/stages")).json).toMatchObject([{ seal: "unverified" }]);
    expect((await get(at)).json).toMatchObject({ seal: "verified" });
    expect((await get("/api/stages")).json).toMatchObject([{ seal: "verified" }]);
    await forgeAll(all.store);
    const again = await shown(all.store, {}, PASSWORD);
    expect((await again.get(at)).json).toMatchObject({ code: "STATE_FORGED" });
    expect((await again.get("/api/stages")).json).toMatchObject([
      { seal: "forged", problem: { code: "STATE_FORGED" } },
    ]);
  });
});

describe("the stages of a store", () => {
  test("are shown as they are, with all details", async () => {
    const all = await given("files");
    await filled(all);
    await all.stage.up(async () => {
      await all.Thing("db", { value: { secret: new Secret("other"), size: 2 } }, { protect: true });
    });
    const { get } = await shown(all.store);
    const json = async (path: string) => (await get(path)).json;
    expect(await json("/api/about")).toMatchObject({ source: "store", canLook: false });
    expect(await json("/api/stages")).toMatchObject([{ app: "app", stage: "dev", resources: 1, lastRun: {} }]);
    expect(await json(at)).toMatchObject({ resources: 1, statuses: { ready: 1 }, kinds: [{ count: 1 }] });
    const rows = await json(`${at}/resources`);
    expect(rows.notDeleted).toEqual([]);
    expect(rows).toMatchObject({ total: 1, paths: ["db"], kinds: [0], statusNames: ["ready"], protected: [0] });
    expect(await json(`${at}/resource?fqn=app/dev/db&seq=${rows.seq}`)).toMatchObject({
      copies: [{ fqn: "app/dev/db", props: { value: { secret: "(secret)", size: 2 } }, protect: true }],
    });
    expect(await json(`${at}/values?fqn=app/dev/db`)).toMatchObject([{ what: "changed" }, { what: "made" }]);
    expect(await json(`${at}/neighbours?fqn=app/dev/db`)).toMatchObject({ nodes: [{ fqn: "app/dev/db" }], left: 0 });
    expect(await json(`${at}/search?q=size`)).toContainEqual(
      expect.objectContaining({ what: "value", path: "/props/value/size" }),
    );
    const history = await json(`${at}/history`);
    expect(history).toMatchObject([
      { resources: 3, restore: `engine state restore ${history[0].seq} --app app --stage dev` },
      { resources: 1 },
    ]);
    const [from, to] = history;
    expect(await json(`${at}/difference?from=${from.seq}&to=${to.seq}`)).toMatchObject({
      resources: [{ what: "changed" }, { what: "gone" }, { what: "gone" }],
      left: 0,
    });
    expect(await json(`${at}/resources?seq=${from.seq}`)).toMatchObject({ total: 3 });
  });

  test("are known to have a program that can look, also where changes are not allowed", async () => {
    const { get } = await shown(memoryStore(), { look: async () => "run" });
    expect((await get("/api/about")).json).toMatchObject({ canLook: true, allowsChanges: false });
  });

  test("say what is pending because it failed, and who may be going on with it", async () => {
    const all = await given("memory");
    await filled(all);
    const { get } = await shown(all.store);
    const held = withResolvers<void>();
    all.world.on("update db", async () => {
      await held.promise;
      throw new Error("The quota is exceeded.");
    });
    const run = all.stage.up(() => all.Thing("db", { value: 2 }, { protect: true })).catch(ignore);
    await until(
      async () => (await get(`${at}/resource?fqn=app/dev/db`)).json.copies[0].status,
      (status) => status === "updating",
    );
    const underWay = (await get(`${at}/resource?fqn=app/dev/db`)).json;
    expect(underWay).toMatchObject({ holder: { process: "runs" } });
    expect(underWay.copies[0].error).toBeUndefined();
    expect((await get(at)).json).toMatchObject({ failed: 0 });
    held.resolve();
    await run;
    const { holder, copies } = (await get(`${at}/resource?fqn=app/dev/db`)).json;
    expect([holder, copies[0].error]).toEqual([undefined, expect.stringContaining("The quota is exceeded.")]);
    expect((await get(at)).json).toMatchObject({ failed: 1, statuses: { updating: 1 } });
    const { paths, failed } = (await get(`${at}/resources`)).json;
    expect(failed.map((index: number) => paths[index])).toEqual(["db"]);
  });

  test("have failures in words, and no stack", async () => {
    const all = await given("memory");
    await filled(all);
    const { get } = await shown(all.store);
    expect(await get(`${at}/resource?fqn=none`)).toMatchObject({ status: 404, json: { code: "NOT_RECORDED" } });
    expect(await get(`${at}/resource`)).toMatchObject({ status: 400, json: { code: "INVALID_ARGUMENT" } });
    expect(await get(`${at}/resources?from=x`)).toMatchObject({ status: 400 });
    expect(await get(`${at}/resources?seq=4711`)).toMatchObject({ status: 404 });
    expect(await get("/api/stages/a%2Fb/dev")).toMatchObject({ status: 400, json: { code: "INVALID_NAME" } });
    for await (const key of all.store.list("app/dev/checkpoint/")) await all.store.set(key, "{}");
    const broken = await (await shown(all.store)).get(at);
    expect(broken).toMatchObject({ status: 409, json: { code: "STATE_CORRUPT" } });
    expect(broken.text).not.toMatch(/\.[jt]s:|\bat \//);
  });

  test("cost a small request or two to look at again, and are read again if something was recorded", async () => {
    const all = await given("memory");
    await filled(all);
    const recording = recordingStore(all.store);
    const { get } = await shown(recording.store);
    await Promise.all([get(at), get(`${at}/resources`)]);
    expect(recording.take().filter((call) => call.startsWith("get checkpoint"))).toHaveLength(1);
    await get(at);
    await get(`${at}/resources`);
    expect(recording.take()).toEqual(["list", "get journal/2", "list", "get journal/2"]);
    await all.stage.up(() => all.Thing("db", { value: new Secret("hush") }, { protect: true }));
    expect((await get(at)).json).toMatchObject({ resources: 1 });
  });

  test("show names and values of any kind as data, and of large ones a part", async () => {
    const store = memoryStore();
    const Thing = new World().type();
    const markup = "<img src=x onerror=alert(1)>\u202e\u0007";
    await createEngine().up("app", { stage: "dev", stateStore: store, argv: [], env: {} }, async () => {
      await Thing("big", { value: { text: "x".repeat(1_000_000), [markup]: markup, list: Array(10_000).fill(1) } });
    });
    const { get } = await shown(store);
    const { text, json } = await get(`${at}/resource?fqn=app/dev/big`);
    expect(text.length).toBeLessThan(100_000);
    const { value } = json.copies[0].props;
    expect(value[markup]).toBe(markup);
    expect(value.text).toMatch(/^x{5000}… \(995000 more characters\)$/);
    expect(value.list.at(-1)).toBe("… 9500 more");
    const more = async (path: string, from: number) =>
      (await get(`${at}/part?fqn=app/dev/big&path=${encodeURIComponent(path)}&from=${from}&seq=${json.seq}`)).json;
    expect(await more("/props/value/text", 5000)).toMatchObject({ total: 1_000_000, to: 205_000 });
    expect(await more("/props/value/list", 9900)).toEqual({
      total: 10_000,
      from: 9900,
      to: 10_000,
      value: Array(100).fill(1),
    });
    expect(await more("/props/value", 0)).toMatchObject({ total: 3, to: 3, value: { [markup]: markup } });
    for (const path of ["/none", "/props/value/none", "/props/value/list/0", "/props/value/list/x"]) {
      expect(await more(path, 0)).toMatchObject({ code: "NOT_RECORDED" });
    }
    expect((await get(`${at}/search?q=onerror`)).json[0].excerpt.length).toBeLessThan(500);
    expect((await get(`${at}/values?fqn=app/dev/big`)).text.length).toBeLessThan(100_000);
  });
});

describe("all stages", () => {
  test("are searched for several words; a changed one is read again, and one that cannot be read is counted", async () => {
    const all = await given("memory");
    await filled(all);
    const { get } = await shown(all.store);
    const find = async (text: string) => (await get(`/api/search?q=${encodeURIComponent(text)}`)).json;
    expect(await find("page WEB")).toMatchObject({
      found: [{ app: "app", stage: "dev", fqn: "app/dev/web/page" }],
      left: 0,
    });
    expect(await find("page nosuch")).toEqual({ found: [], left: 0 });
    expect((await get("/api/search")).status).toBe(400);
    await all.store.set("torn/dev/journal/000000000001", "no entry");
    const { get: later } = await shown(all.store);
    expect((await later("/api/search?q=page")).json).toMatchObject({ found: [{ fqn: "app/dev/web/page" }], left: 1 });
  });

  test("tell which copy has the last change of each row, in the order of the rows", async () => {
    const all = await given("memory");
    await filled(all);
    await all.stage.up(async () => {
      await all.Thing("db", { value: new Secret("hush") }, { protect: true });
      await all.Thing("late");
    });
    const { get } = await shown(all.store);
    const { paths }: { paths: string[] } = (await get(`${at}/resources`)).json;
    const { copies, last } = (await get(`${at}/changes`)).json;
    const runOf = (path: string) => copies[last[paths.indexOf(path)]]?.run?.summary;
    expect(last).toHaveLength(paths.length);
    expect(runOf("late")).toMatchObject({ created: 1 });
    expect(runOf("db")).toMatchObject({ created: 3 });
  });
});
