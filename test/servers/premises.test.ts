/** No process or folder of a test outlives it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { until } from "../helpers/time/until.js";
import { openPremises } from "./premises.js";
import { type Traceable, traces } from "./traces.js";

const program = compiledProgram(new URL("premises.child.ts", import.meta.url));

/** A process of its own with premises and two residents, whose traces it has printed. */
async function tenant(): Promise<{
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
  readonly has: Traceable;
}> {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return {
    kill: async (signal) => {
      child.kill(signal);
      await once(child, "exit");
    },
    has: JSON.parse(String(line)) as Traceable,
  };
}

describe("processes in their folder", () => {
  it("are gone once they are left, and the folder with them", async () => {
    const premises = await openPremises("test");
    const resident = await premises.start("sleep", ["1000"]);
    const has = { pids: [resident.pid], folder: premises.folder };
    expect(traces(has)).toHaveLength(2);
    await premises.leave();
    await premises.leave();
    expect(traces(has)).toEqual([]);
  });

  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("are gone after a %s of who started them", async (signal) => {
    const { kill, has } = await tenant();
    expect(traces(has)).toHaveLength(3);
    await kill(signal);
    await until(
      () => traces(has),
      (left) => left.length === 0,
    );
  });

  it("report their output when they fail", async () => {
    const premises = await openPremises("test");
    await expect(premises.run("sh", ["-c", "echo reason >&2; exit 3"])).rejects.toThrow("sh ended with 3:\nreason");
    await expect(premises.run("no-such-program", [])).rejects.toThrow("ENOENT");
    await premises.leave();
  });
});
