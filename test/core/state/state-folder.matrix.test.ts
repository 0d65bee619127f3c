import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { folderEach, cwd as root } from "../../e2e/own-folder.ts";
import { loadFrom } from "../../helpers/stores/journals.js";

const COUNT = 10_000;
const Thing = Resource<{ text: string }, { text: string }>("folder:Thing", {
  create: async ({ props }) => props,
  update: async ({ props }) => props,
  delete: async () => {},
});

folderEach("state-folder");

/** One run of a program, with its own store, as in separate processes. */
async function run(program: (app: Scope) => Promise<unknown>, phase: "up" | "destroy" = "up"): Promise<void> {
  const store = fsStoreAt(join(root, "state"));
  const options = { stage: "dev", stateStore: store, rootDir: root, argv: [], env: {}, phase } as const;
  await createEngine()
    .up("app", options, program)
    .finally(() => store.close());
}

function declare(text: (index: number) => string): () => Promise<unknown> {
  return () => Promise.all(Array.from({ length: COUNT }, (_, index) => Thing(`thing-${index}`, { text: text(index) })));
}

interface Found {
  readonly files: string[];
  readonly bytes: number;
}

async function found(): Promise<Found> {
  const all = await readdir(root, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size)));
  const names = files.map((file) => file.slice(join(root, "state/app/dev/").length).replace(/\/0+(\d+)\.json$/, "/$1"));
  return { files: names.sort(), bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const numbers = (files: readonly string[], room: string): number[] =>
  files
    .flatMap((file) => (file.startsWith(`${room}/`) ? [Number(file.slice(room.length + 1))] : []))
    .sort((a, b) => a - b);

describe("the state folder after 10,000 resources were created, changed in part, and destroyed", () => {
  it("holds three checkpoints, ten histories at most, the first entry, and the entries after the oldest checkpoint", {
    timeout: 120_000,
  }, async ({ task }) => {
    await run(declare(() => "made"));
    await run(declare(() => "made"));
    for (let time = 1; time <= 3; time++) await run(declare((index) => (index % 100 === time ? "changed" : "made")));
    await run(async () => {}, "destroy");
    // A few small runs on an empty state; the last one changes nothing.
    for (const id of ["a", "b"]) await run(() => Thing(id, { text: id }).then(() => {}));
    await run(async () => {}, "destroy");
    await run(async () => {});

    const { files, bytes } = await found();
    const { head, contents } = await loadFrom(fsStoreAt(join(root, "state")));
    expect(contents.isEmpty).toBe(true);
    expect(head.guards).toEqual([1]);
    const checkpoints = numbers(files, "checkpoint");
    const histories = numbers(files, "history");
    const entries = numbers(files, "journal");
    const oldest = checkpoints[0] ?? 0;
    expect(checkpoints).toHaveLength(3);
    expect(checkpoints.at(-1)).toBe(head.seq);
    expect(entries).toEqual([1, ...Array.from({ length: head.seq - oldest }, (_, index) => oldest + 1 + index)]);
    expect(histories.length).toBeLessThanOrEqual(10);
    // No leases, temporary files or recovery files.
    expect(files).toHaveLength(checkpoints.length + histories.length + entries.length);
    const { size } = await stat(join(root, "state/app/dev/journal/000000000001.json"));
    expect(size).toBeLessThan(1_000);
    task.meta.note = `state folder after 10,000 resources: ${files.join(" ")}, ${bytes} bytes`;
  });
});

describe("a state folder that goes away while a run writes it", () => {
  it.each([
    ["deleted", () => rm(join(root, "state"), { recursive: true })],
    ["moved", () => rename(join(root, "state"), join(root, "elsewhere"))],
  ])("was %s, and not taken over by another run", async (_, remove) => {
    const failed = run(async () => {
      await Thing("first", { text: "made" });
      await remove();
      await Thing("second", { text: "made" });
    });
    await expect(failed).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(
        /disappeared while this run wrote it.*state\. Something other than a run of the engine deleted/,
      ),
    });
  });
});
