/**
 * Processes that are stopped between a durable intent and its handler, and continue once another one has taken over.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { machineOfItsOwn } from "../helpers/processes/own-machine.js";
import { testServers } from "../helpers/stores/test-servers.js";
import { contentAfter, flawsOf, newFolder } from "./aftermath.js";
import { doom } from "./doomed.js";
import { FileWorld } from "./file-world.js";
import type { Places } from "./places/places.js";
import { run } from "./run.js";
import { look } from "./seen.js";

/** Whatever the first process would still do, the second one declares something else. */
const CASES = [
  { phase: "create", status: "creating", before: "nothing", first: "readable", second: "readableChanged" },
  { phase: "update", status: "updating", before: "readable", first: "readableChanged", second: "readable" },
  { phase: "delete", status: "deleting", before: "readable", first: "nothing", second: "readable" },
] as const;

interface Stopped {
  /** Lets it continue; resolves with how it ended. */
  wake(): Promise<{ readonly code: number | null; readonly stderr: string }>;
  end(): void;
}

export function stopping(places: Places): void {
  let folder: string;
  let stopped: Stopped | undefined;
  machineOfItsOwn();
  beforeEach(async () => {
    folder = await newFolder();
    stopped = undefined;
  });
  afterEach(async () => {
    stopped?.end();
    await rm(folder, { recursive: true, maxRetries: 3 });
  });

  async function complete(program: string): Promise<void> {
    const store = places.open(folder);
    expect(await run({ folder, store, world: new FileWorld(folder), program })).toEqual([]);
    await store.close?.();
  }

  /**
   * Stops a process after its second intent with this status. It is on another machine, so only its lease shows that it
   * lives.
   */
  async function stopBehind(program: string, status: string): Promise<Stopped> {
    const file = compiledProgram(new URL("stopped.child.ts", import.meta.url));
    const elsewhere = new URL("contention-elsewhere.mjs", import.meta.url).href;
    const child = spawn(process.execPath, ["--import", elsewhere, file, folder, places.name, program, status], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        MACHINE: "elsewhere",
        XDG_STATE_HOME: join(folder, "elsewhere"),
        ...testServers(process.env),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = text(child.stderr);
    const ended = once(child, "close").then(async () => ({ code: child.exitCode, stderr: await said }));
    const early = await Promise.race([once(child.stdout, "data").then(() => undefined), ended]);
    if (early) throw new Error(`It ended before its intent, with ${early.code}: ${early.stderr}`);
    child.kill("SIGSTOP");
    return {
      async wake() {
        await writeFile(join(folder, "go on"), "");
        child.kill("SIGCONT");
        return ended;
      },
      end: () => void child.kill("SIGKILL"),
    };
  }

  describe(`${places.name}: a process that was stopped between its intent and the handler`, () => {
    it.each(CASES)(
      "is fenced before its $phase if another one has taken over meanwhile",
      async ({ phase, status, before, first, second }) => {
        await complete(before);
        stopped = await stopBehind(first, status);
        const world = new FileWorld(folder);
        const { records, calls } = await look(places, folder, world);
        const pending = records.filter((record) => record.status !== "ready").map(({ key, status }) => [key, status]);
        expect(pending).toEqual([["second", status]]);
        expect(calls).not.toContainEqual(expect.objectContaining({ op: phase, fqn: "app/dev/second" }));

        const other = await doom({ folder, places: places.name, order: { program: second } });
        expect(other).toMatchObject({ code: 0, stderr: "" });
        const left = await look(places, folder, world);

        const end = await stopped.wake();
        // No call was added, and nothing new exists.
        expect(await look(places, folder, world)).toEqual({ ...left, warnings: expect.anything() });
        expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("[FENCED]") });
        const expected = await contentAfter(places, second);
        const after = { places, folder, program: second, settings: "usual", expected, isOver: true } as const;
        expect(await flawsOf(after)).toEqual([]);
      },
    );
  });
}
