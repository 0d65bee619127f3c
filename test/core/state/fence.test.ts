import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { readDigested } from "../../../core/state/checkpoint/digested-text.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import {
  CLOSING_CHECKPOINTS,
  MANY_CHECKPOINTS,
  type Run,
  recordAt,
  testLedgers,
} from "../../helpers/stores/ledgers.js";
import { recordingStore } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
const both = [{ append: true }, { append: false }] as const;

/** A run that lost its stage to another one while its process slept. */
async function fenced(inner: StateStore, limits = CLOSING_CHECKPOINTS) {
  const recording = recordingStore(inner);
  const run = await ledgers.run(recording.store, { limits });
  const pending = recordAt("a", { status: "creating", attempt: 1, output: undefined, done: undefined });
  await run.ledger.commit([{ op: "put", record: pending }], "now");
  await ledgers.begun(inner, "theirs");
  recording.take();
  return { run, take: recording.take, before: await snapshot(inner) };
}

function recoveryOf(path: string | undefined): Promise<{ text: string; body: Record<string, unknown> }> {
  return readFile(path ?? "", "utf8").then((text) => ({ text, body: JSON.parse(text) }));
}

describe.each(both)("a run that was fenced (%j)", (options) => {
  it.each([
    ["one that grows or ends", CLOSING_CHECKPOINTS],
    ["one that is about to be rolled over", MANY_CHECKPOINTS],
  ])("fails at its next write, in %s, and breaks once", async (_, limits) => {
    const { run } = await fenced(memoryStore(options), limits);
    const [code, message] = await rejectedCode(run.put("b"));
    expect([code, message]).toEqual(["FENCED", expect.stringContaining('"app/dev"')]);
    expect((await rejectedCode(run.put("c")))[0]).toBe("FENCED");
    expect((await rejectedCode(run.ledger.drain()))[0]).toBe("FENCED");
    expect((await rejectedCode(run.close()))[0]).toBe("FENCED");
    expect(run.broken).toHaveLength(1);
  });

  it("writes nothing more, and deletes nothing: no entry, no checkpoint, no lease", async () => {
    const inner = memoryStore(options);
    const { run, take, before } = await fenced(inner);
    await rejectedCode(run.put("b"));
    const attempt = take();
    await rejectedCode(run.put("c"));
    await rejectedCode(run.close());
    await run.ledger.abandon();
    expect(take()).toEqual([]);
    expect(attempt).toEqual(
      options.append ? ["append journal/2", "get journal/3"] : ["create journal/3", "get journal/3"],
    );
    const after = await snapshot(inner);
    // A line that came too late follows the ones that count.
    if (options.append) after.set("app/dev/journal/000000000002", before.get("app/dev/journal/000000000002") ?? "");
    expect(after).toEqual(before);
  });
});

describe("the recovery file", () => {
  it("keeps what has happened, whether it was queued before the fence was met or after, and no intent", async () => {
    const { run } = await fenced(memoryStore());
    const failing = rejectedCode(
      run.ledger.commit([{ op: "patch", uid: "uid-a", set: { status: "ready", output: { name: "a" } } }], "now"),
    );
    const queued: Promise<unknown>[] = [
      rejectedCode(run.ledger.commit([{ op: "put", record: recordAt("b", { status: "creating" }) }], "now")),
      rejectedCode(run.ledger.commit([{ op: "patch", uid: "uid-c", set: { status: "deleting" } }], "now")),
    ];
    await failing;
    await Promise.all(queued);
    // A handler that was running ends.
    await rejectedCode(
      run.ledger.commit(
        [
          { op: "drop", uid: "uid-a" },
          { op: "data", owner: "/", key: "n", value: 1 },
        ],
        "soon",
      ),
    );
    await rejectedCode(run.ledger.commit([{ op: "place", at: [{ uid: "uid-a", ready: [1] }] }], "soon"));
    const { body } = await recoveryOf(await run.ledger.abandon());
    expect(body).toMatchObject({ format: 1, app: "app", stage: "dev", seq: 2 });
    const intents = [{ key: "a", uid: "uid-a", status: "creating", token: "token-a", attempt: 1, ready: [1] }];
    expect(body.results).toEqual([
      {
        changes: [{ op: "data", owner: "/", key: "n", value: 1 }],
        intents: [],
        data: { owner: "/", digest: expect.any(String) },
      },
      { changes: [{ op: "patch", uid: "uid-a", set: { status: "ready", output: { name: "a" } } }], intents },
      { changes: [{ op: "drop", uid: "uid-a" }], intents },
    ]);
  });

  it("names the ledger and the session that it belongs to, and tells when it was altered", async () => {
    const { run } = await fenced(memoryStore());
    await rejectedCode(run.ledger.commit([{ op: "drop", uid: "uid-a" }], "now"));
    const path = (await run.ledger.abandon()) ?? "";
    const { text, body } = await recoveryOf(path);
    const locked = run.events.find(({ type }) => type === "state:locked");
    expect(body.session).toBe(locked && "session" in locked ? locked.session : "");
    expect(path).toBe(join(ledgers.rootDir, `engine-recovery.app.dev.${body.session}.json`));
    expect(body.lineage).toEqual(expect.any(String));
    expect(readDigested(text.trimEnd())).toEqual({ digest: body.digest, seal: undefined });
  });

  it("is not written where nothing has happened that is not recorded", async () => {
    const before = await readdir(ledgers.rootDir);
    const { run } = await fenced(memoryStore());
    await rejectedCode(run.ledger.commit([{ op: "put", record: recordAt("b", { status: "creating" }) }], "now"));
    expect(await run.ledger.abandon()).toBeUndefined();
    const fine: Run = await ledgers.run(memoryStore());
    await fine.put("a");
    expect(await fine.ledger.abandon()).toBeUndefined();
    expect(await readdir(ledgers.rootDir)).toEqual(before);
  });
});
