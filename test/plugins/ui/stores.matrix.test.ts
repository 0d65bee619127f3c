/** A stage of many resources, in files and in shared stores: the same answers, with equally few requests. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fsStore } from "../../../adapters/fs/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { startServer, type UiServer } from "../../../plugins/ui/server/index.js";
import { allRuns, stageSource } from "../../../plugins/ui/sources/index.js";
import { World } from "../../helpers/apps/world.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { remoteStore } from "../../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../../helpers/stores/s3-store.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { describeWithRedis } from "../../servers/given-redis.js";
import { describeWithS3 } from "../../servers/given-s3.js";
import { HTML, type Visitor, visit } from "./asking.js";

const COUNT = isLong ? 100_000 : 3_000;
const Thing = new World().type();
const at = "/api/stages/app/dev";

interface Made {
  readonly store: StateStore;
  end(): Promise<void>;
}

function shows(make: () => Promise<Made>): void {
  let made: Made;
  let recording: ReturnType<typeof recordingStore>;
  let server: UiServer;
  let visitor: Visitor;

  beforeAll(async () => {
    made = await make();
    const options = { stage: "dev", stateStore: made.store, argv: [], env: {}, concurrency: 1000 };
    await createEngine().up("app", options, async () => {
      const first = await Thing("first");
      await Promise.all(
        Array.from({ length: COUNT - 1 }, (_, n) => Thing(`t${n}`, n % 500 === 0 ? { uses: first } : {})),
      );
    });
    recording = recordingStore(made.store);
    const stages = stageSource(recording.store, { env: {} });
    server = await startServer({ label: "", stages, runs: allRuns([]), redact: (text) => text }, { html: HTML });
    visitor = await visit(server.url());
  }, 600_000);
  afterAll(async () => {
    await server.close();
    await made.end();
  });

  test("all rows, and reads the state once", async () => {
    expect((await visitor.get(at)).json).toMatchObject({ resources: COUNT, statuses: { ready: COUNT } });
    expect(recording.take().filter((call) => call.startsWith("get checkpoint"))).toHaveLength(1);
    const first = (await visitor.get(`${at}/resources?from=0&limit=5000`)).json;
    const paths = new Set<string>(first.paths);
    for (let from = first.paths.length; from < first.total; from += 5000) {
      for (const path of (await visitor.get(`${at}/resources?from=${from}&seq=${first.seq}`)).json.paths)
        paths.add(path);
    }
    expect(paths.size).toBe(COUNT);
    expect(first.paths.slice(0, 2)).toEqual(["first", "t0"]);
    // One check for new records, and nothing else.
    expect(recording.take().length).toBeLessThanOrEqual(2);
  });

  test("one of them, what stands around it, what it was, and where a text is", async () => {
    const json = async (path: string) => (await visitor.get(path)).json;
    expect(await json(`${at}/resource?fqn=app/dev/t0`)).toMatchObject({ copies: [{ dependsOn: ["app/dev/first"] }] });
    const around = await json(`${at}/neighbours?fqn=app/dev/first`);
    expect(around.nodes.length).toBe(Math.min(200, 1 + Math.ceil((COUNT - 1) / 500)));
    expect(around.edges.length).toBe(around.nodes.length - 1);
    expect(await json(`${at}/values?fqn=app/dev/t1`)).toMatchObject([{ what: "made", run: { command: "up" } }]);
    expect(await json(`${at}/search?q=t1234`)).toContainEqual(expect.objectContaining({ fqn: "app/dev/t1234" }));
    expect(await json("/api/stages")).toMatchObject([{ app: "app", stage: "dev", resources: COUNT }]);
  });
}

describe("files show", () => {
  shows(async () => {
    const rootDir = await mkdtemp(join(tmpdir(), "ui-stores-"));
    const context = { appName: "app", stage: "dev", rootDir, profile: undefined, warn() {} };
    return { store: fsStore({ root: rootDir })(context), end: () => rm(rootDir, { recursive: true }) };
  });
});

describeWithRedis("redis shows", () => {
  shows(async () => {
    const store = remoteStore("redis", `ui/${randomUUID()}`);
    return { store, end: async () => store.close?.() };
  });
});

describeWithS3("s3 shows", () => {
  shows(async () => {
    await makeTestBucket();
    const store = remoteStore("s3", `ui/${randomUUID()}`);
    return { store, end: async () => store.close?.() };
  });
});
