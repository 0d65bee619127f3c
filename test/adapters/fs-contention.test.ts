import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { listed, numbers } from "../../plugins/testing/store/case.js";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { until } from "../helpers/time/until.js";

const KEYS = 300;
const ROUNDS = 20;
/** Processes start slowly on a busy machine. */
const patient = { timeout: 120_000 };

let root: string;
let children: ChildProcess[];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "fs-contention-")));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(root, { recursive: true });
});

function contender(job: "create" | "append", count: number) {
  const program = compiledProgram(new URL("fs-contender.child.ts", import.meta.url));
  const command = [program, root, job, String(count)];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return child;
}

describe("processes that share a folder", () => {
  it("create each key once among four of them", patient, async () => {
    const contenders = numbers(4).map(() => contender("create", KEYS));
    const claims = await Promise.all(contenders.map((child) => text(child.stdout)));
    const won = claims.flatMap((claim, index) => {
      const keys = claim.split("\n").filter((key) => key !== "");
      return keys.map((key) => ({ key, value: `by ${contenders[index]?.pid}` }));
    });
    expect(won).toHaveLength(KEYS);
    const store = fsStoreAt(root);
    expect(await listed(store, "")).toEqual(won.map(({ key }) => key).sort());
    expect(await store.getMany(won.map(({ key }) => key))).toEqual(won.map(({ value }) => value));
  });

  it("lose no line that was acknowledged before the fence, though the writer sleeps anywhere", patient, async () => {
    const store = fsStoreAt(root);
    for (const round of numbers(ROUNDS)) await store.create(`journal/${round}`, "", { sync: false });
    const writer = contender("append", ROUNDS);
    const closed = once(writer, "close");
    let total = 0;
    /** Number of acknowledged lines of each round, once the round is over. */
    const said: string[] = [];
    createInterface(writer.stdout).on("line", (line) => said.push(line));
    for (const [at, round] of numbers(ROUNDS).entries()) {
      await until(() => store.get(`journal/${round}`));
      expect(said.length, "rounds that ended without a fence").toBe(at);
      const asleep = round % 2 === 0 && writer.kill("SIGSTOP");
      expect(await store.create(`fence/${round}`, "", { sync: false })).toBe(true);
      const seen = linesOf(await store.get(`journal/${round}`));
      if (asleep) writer.kill("SIGCONT");
      await until(() => said.length === at + 1);
      const count = Number(said[at]);
      total += count;
      expect(seen).toBeGreaterThanOrEqual(count);
      // The line that was in flight when the fence was put, and no second one.
      expect(linesOf(await store.get(`journal/${round}`))).toBe(count + 1);
    }
    expect(total).toBeGreaterThan(ROUNDS);
    await closed;
  });
});

function linesOf(value: string | undefined): number {
  return (value ?? "").split("\n").length - 1;
}
