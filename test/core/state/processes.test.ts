/** Real processes on one stage in files, some of them killed or asleep. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { elsewhere, testLedgers } from "../../helpers/stores/ledgers.js";
import { contender, contendersEach, cwd, names, state, world } from "./contenders.js";

const ledgers = testLedgers();
/** Processes start slowly on a busy machine. */
const patient = { timeout: 120_000 };

contendersEach();

describe("four processes on one stage", () => {
  it("go on at once where one of them is killed, and know what it was doing", patient, async () => {
    const doomed = contender("waits", "x");
    await doomed.printed("waiting");
    const others = ["a", "b", "c"].map((prefix) => contender("rounds", prefix, "3").ended);
    doomed.process.kill("SIGKILL");
    await doomed.ended;
    const ends = await Promise.all(others);
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map((code) => [code, ""]));
    expect(await state()).toEqual({ keys: [...names(["a", "b", "c"], 3), "x0", "x1 creating"], isOpen: false });
    expect(await world()).toEqual([...names(["a", "b", "c"], 3), "x0"].map((name) => `create ${name}`));
  });
});

describe("a process that sleeps longer than its lease", () => {
  it(
    "is taken over from another machine, and once awake it is fenced: it stops, says so and keeps its results",
    patient,
    async () => {
      const sleeper = contender("waits", "x");
      await sleeper.printed("waiting");
      sleeper.process.kill("SIGSTOP");
      // From another machine, the system cannot be asked whether the process lives; only its lease shows it.
      const store = fsStoreAt(join(cwd, ".engine"));
      const other = await ledgers.run(store, { here: elsewhere() });
      expect(other.events.map(({ type }) => type)).toEqual(["state:waiting", "state:taken-over", "state:waited"]);
      await other.put("theirs");
      sleeper.process.kill("SIGCONT");
      sleeper.process.kill("SIGUSR2");
      const { code, stderr, stdout } = await sleeper.ended;
      expect({ code, stdout }).toEqual({ code: 1, stdout: "waiting" });
      expect(stderr).toContain("FENCED");
      const files = (await readdir(cwd)).filter((name) => name.startsWith("engine-recovery.app.dev."));
      expect(files).toHaveLength(1);
      const { results } = JSON.parse(await readFile(join(cwd, files[0] ?? ""), "utf8"));
      expect(results).toMatchObject([
        { changes: [{ op: "patch", set: { status: "ready", output: { by: sleeper.process.pid } } }] },
      ]);
      await other.close();
      await store.close();
      // The third resource was never begun; the second one is recorded as pending.
      expect(await world()).toEqual(["create x0", "create x1"]);
      expect(await state()).toEqual({ keys: ["theirs", "x0", "x1 creating"], isOpen: false });
    },
  );
});
