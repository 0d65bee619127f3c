/** Two apps in processes of their own: one offers, the other one refers to it, whatever the first is doing. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ended, runProgram, startProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";

const patient = { timeout: 120_000 };

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "references-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const offer = (...args: string[]): Promise<Ended> => runProgram("references", { cwd, args: ["offer", ...args] });
const read = (count: string, env = {}): Promise<Ended> => runProgram("references", { cwd, args: ["read", count], env });

/** The pairs that were read. */
function pairsIn({ stdout }: Ended): readonly (readonly [number, number])[] {
  return [...stdout.matchAll(/^read (\d+) (\d+)$/gm)].map(([, one, other]) => [Number(one), Number(other)]);
}

describe("a program that refers to another one", () => {
  it("reads what that has offered, leaves no trace in its state, and ends by itself", patient, async () => {
    expect(await offer("1", "3")).toMatchObject({ code: 0, stderr: "" });
    const before = await stateIn(cwd, "network");
    const { code, stdout, stderr } = await read("1");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "read 3 3", stderr: "" });
    expect(await stateIn(cwd, "network")).toEqual(before);
    expect((await stateIn(cwd, "reader")).recorded).toEqual([]);
  });

  it(
    "while that is at work always reads a whole value, none older than the last, and holds it up in nothing",
    patient,
    async () => {
      await offer("1", "1");
      const offering = startProgram("references", { cwd, args: ["offer", "2", "400"] });
      await offering.printed("offered 2");
      const reading = await read("60");
      const pairs = pairsIn(reading);
      expect({ code: reading.code, stderr: reading.stderr, count: pairs.length }).toEqual({
        code: 0,
        stderr: "",
        count: 60,
      });
      expect(pairs.filter(([one, other]) => one !== other)).toEqual([]);
      const values = pairs.map(([one]) => one);
      expect(values).toEqual([...values].sort((a, b) => a - b));
      expect(await offering.ended).toMatchObject({ code: 0, stderr: "" });
      expect(pairsIn(await read("1"))).toEqual([[400, 400]]);
    },
  );

  it("reads what was recorded last of one that was killed", patient, async () => {
    const offering = startProgram("references", { cwd, args: ["offer", "1", "100000"] });
    await offering.printed("offered 20");
    offering.process.kill("SIGKILL");
    const { stdout } = await offering.ended;
    const told = Number(/offered (\d+)$/.exec(stdout)?.[1]);
    const [[one, other] = [0, 1]] = pairsIn(await read("1"));
    expect(one).toBe(other);
    expect([told, told + 1]).toContain(one);
    await offer("7", "7");
    expect(pairsIn(await read("1"))).toEqual([[7, 7]]);
  });

  it("fails where there is nothing, but for its own destroy, which goes on", patient, async () => {
    const failing = await read("1");
    expect(failing.code).toBe(1);
    expect(failing.stderr).toContain("OUTPUTS_MISSING");
    expect(failing.stderr).toMatch(/Nothing is recorded of "network\/dev" in .*\.engine/);
    const { code, stdout } = await read("1", { PHASE: "destroy" });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^read unknownx\w+ unknownx\w+$/) });
  });
});
