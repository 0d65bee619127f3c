import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, startProgram } from "../helpers/processes/child-program.ts";
import { offer, read } from "./offer-and-read.ts";
import { cwd, folderEach } from "./own-folder.ts";

const patient = { timeout: 120_000 };

folderEach("references");

/** The pairs that the program read. */
function pairsIn({ stdout }: Ended): readonly (readonly [number, number])[] {
  return [...stdout.matchAll(/^read (\d+) (\d+)$/gm)].map(([, one, other]) => [Number(one), Number(other)]);
}

function lastOffered({ stdout }: Ended): number {
  return Number(/offered (\d+)$/.exec(stdout)?.[1]);
}

describe("a program that refers to another one", () => {
  it(
    "while that is at work always reads a whole value, none older than the last, and holds it up in nothing",
    patient,
    async () => {
      await offer("1", "1");
      const offering = startProgram("references", { cwd, args: ["offer", "2", "100000"] });
      await offering.printed("offered 2");
      const reading = await read("60");
      await writeFile(join(cwd, "enough"), "");
      const offered = await offering.ended;
      const pairs = pairsIn(reading);
      expect({ code: reading.code, stderr: reading.stderr, count: pairs.length }).toEqual({
        code: 0,
        stderr: "",
        count: 60,
      });
      expect(pairs.filter(([one, other]) => one !== other)).toEqual([]);
      const values = pairs.map(([one]) => one);
      expect(new Set(values).size).toBeGreaterThan(1);
      expect(values).toEqual([...values].sort((a, b) => a - b));
      expect(offered).toMatchObject({ code: 0, stderr: "" });
      const last = lastOffered(offered);
      expect(pairsIn(await read("1"))).toEqual([[last, last]]);
    },
  );

  it("reads the last recorded pair of one that was killed", patient, async () => {
    const offering = startProgram("references", { cwd, args: ["offer", "1", "100000"] });
    await offering.printed("offered 20");
    offering.process.kill("SIGKILL");
    const told = lastOffered(await offering.ended);
    const [[one, other] = [0, 1]] = pairsIn(await read("1"));
    expect(one).toBe(other);
    expect([told, told + 1]).toContain(one);
    await offer("7", "7");
    expect(pairsIn(await read("1"))).toEqual([[7, 7]]);
  });
});
