import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { KeyvFile } from "keyv-file";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { type KeyvLike, keyvStore } from "../../adapters/keyv/index.js";
import { Resource } from "../../core/resource/index.js";
import { rejection } from "../helpers/apps/apps.js";
import { runsOn } from "../helpers/apps/runs.js";
import { boxes } from "../helpers/apps/test-apps.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keyv-run-"));
});
afterEach(() => rm(folder, { recursive: true }));

let map: Map<string, unknown>;
beforeEach(() => {
  map = new Map();
});

const sources: readonly (readonly [string, () => KeyvLike])[] = [
  ["a Map", () => map],
  ["keyv-file, opened again for each run", () => new KeyvFile({ filename: join(folder, "state.json"), writeDelay: 1 })],
  ["files of ours, opened again for each run", () => fsStoreAt(join(folder, "state"))],
];

describe.each(sources)("runs on %s", (_, make) => {
  it("create, leave alone, update, prune and destroy, and warn once in a process", async () => {
    const { kind, definition, there, news } = boxes();
    const Box = Resource(kind, definition);
    const { run, destroy } = runsOn(keyvStore(make), folder);
    const warnings: string[] = [];
    const two = (size: number) => async () => {
      await Box("a", { size });
      await Box("b", { size: 1 });
    };
    expect(await run(two(1))).toMatchObject({ actions: ["created a", "created b"], warnings: ["STORE_SINGLE_WRITER"] });
    expect(await run(two(1))).toMatchObject({ actions: ["unchanged a", "unchanged b"], warnings });
    expect(await run(two(2))).toMatchObject({ actions: ["updated a", "unchanged b"], warnings });
    expect(await run(() => Box("a", { size: 2 }))).toMatchObject({ actions: ["unchanged a", "deleted b"], warnings });
    expect(await destroy()).toMatchObject({ actions: ["deleted a"], warnings });
    expect([there.size, news()]).toEqual([0, ["create", "create", "update", "delete", "delete"]]);
  });

  it("go on where the last one ended, beyond the first checkpoints that are trimmed", async () => {
    const { kind, definition } = boxes();
    const Box = Resource(kind, definition);
    const { run } = runsOn(keyvStore(make), folder);
    for (let size = 1; size <= 12; size++) {
      expect((await run(() => Box("a", { size }))).actions).toEqual([size === 1 ? "created a" : "updated a"]);
    }
  });
});

describe("keyvStore", () => {
  it("names in its warning the missing promises, and the place of the state", async () => {
    const { events } = await runsOn(keyvStore(map, { namespace: "team" }), folder).run(() => {});
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      {
        code: "STORE_SINGLE_WRITER",
        message:
          'The state of "shop/dev" is in Keyv (Map, namespace "team"), which cannot stop a second process from changing it at the same time. ' +
          "Start only one run at a time, or keep the state in files, Redis or S3.",
      },
    ]);
  });

  it("writes nothing in a run that changes nothing", async () => {
    const { kind, definition } = boxes();
    const Box = Resource(kind, definition);
    const { run } = runsOn(keyvStore(map), folder);
    await run(() => Box("a", { size: 1 }));
    const before = new Map(map);
    await run(() => Box("a", { size: 1 }));
    expect(map).toEqual(before);
  });

  it("keeps two runs of one process apart", async () => {
    const { kind, definition, news } = boxes();
    const Box = Resource(kind, definition);
    const first = runsOn(keyvStore(map), folder);
    const second = runsOn(keyvStore(map), folder);
    await first.run(async () => {
      await Box("a", { size: 1 });
      expect(await rejection(second.run(() => Box("b", { size: 1 })))).toMatchObject({ code: "STATE_LOCKED" });
    });
    expect(news()).toEqual(["create"]);
  });

  it.each<[string, () => KeyvLike]>([
    ["a Keyv", () => new Keyv({ store: fsStoreAt(folder), throwOnErrors: true })],
    ["an adapter", () => fsStoreAt(folder)],
  ])("keeps two runs of one process apart that each have %s of their own over the same values", async (_, make) => {
    const { kind, definition, news } = boxes();
    const Box = Resource(kind, definition);
    const three = async () => {
      for (const id of ["a", "b", "c"]) await Box(id, { size: 1 });
    };
    const runs = [1, 2, 3].map(() => runsOn(keyvStore(make), folder).run(three));
    const outcomes = await Promise.allSettled(runs);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(news()).toEqual(["create", "create", "create"]);
  });

  it("fails a run whose Keyv gets another namespace meanwhile", async () => {
    const { kind, definition } = boxes();
    const Box = Resource(kind, definition);
    const keyv = new Keyv({ throwOnErrors: true });
    const run = runsOn(keyvStore(keyv), folder).run(async () => {
      await Box("a", { size: 1 });
      keyv.namespace = "other";
    });
    expect(await rejection(run)).toMatchObject({ message: expect.stringContaining("the namespace was changed") });
    expect([...(keyv.store as Map<string, unknown>).keys()].filter((key) => !key.startsWith("keyv:"))).toEqual([]);
  });

  it("disconnects with the run an adapter that it made for the run, and none that was handed over", async () => {
    const disconnected: string[] = [];
    const adapter = (name: string) =>
      Object.assign(fsStoreAt(folder), { disconnect: async () => void disconnected.push(name) });
    for (const source of [adapter("handed over"), () => adapter("made")]) {
      await runsOn(keyvStore(source), folder).run(() => {});
    }
    expect(disconnected).toEqual(["made"]);
  });

  it("fails a run whose storage cannot be made, or hides its errors", async () => {
    const unmade = keyvStore(() => {
      throw new Error("no such driver");
    });
    const hiding = keyvStore(() => Object.assign(fsStoreAt(folder), { throwOnErrors: false }));
    for (const stateStore of [unmade, hiding]) {
      expect(await rejection(runsOn(stateStore, folder).run(() => {}))).toMatchObject({ code: "INVALID_OPTION" });
    }
  });
});
