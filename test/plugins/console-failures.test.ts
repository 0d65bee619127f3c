import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { EngineError, failureNote } from "../../core/base/index.js";
import type { EngineOptions } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { corrupt } from "../../core/state/keys.js";
import { failureLines } from "../../plugins/console-output/failure-lines.js";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { sayStillWaiting } from "../../plugins/console-output/still-waiting.js";
import { PLAIN, wantsColours } from "../../plugins/console-output/theme.js";
import { createEngine } from "../../plugins/engine/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { newHost } from "../helpers/apps/plugin-host.ts";
import { held } from "../helpers/time/held.ts";

const engine = createEngine({ plugins: [consoleOutput()] });
const Box = Resource("console-failures:Box", {
  create: ({ id }) => Promise.reject(new Error(`No ${id}.`)),
});

function inner<T>(work: () => T): T {
  return work();
}

async function printed(options: EngineOptions, program: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const logger = { info: print, error: print };
  const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), logger, ...options });
  await app.run(program).catch(() => {});
  await app.finalize().catch(() => {});
  return lines.filter((line) => !/^\s+at /.test(line)).map((line) => line.replace(/\d+ ms/, "…"));
}

const look = { palette: PLAIN, isVerbose: false };

describe("what failed", () => {
  it("is reported when it happens, each once, whatever else it made fail", async () => {
    const lines = await printed({}, () => engine.run("s", () => Promise.all([Box("a"), Box("b")])));
    expect(lines).toEqual([
      "FAILED   shop/dev/s/a  (console-failures:Box, create): No a.",
      "FAILED   shop/dev/s/b  (console-failures:Box, create): No b.",
      "shop/dev up FAILED in …: 2 failed",
    ]);
  });

  it.each([
    ["PROTECTED", "To delete it, declare it with { protect: false }, run up, and only then delete it."],
    ["UNRESOLVED", "Declare it again and let it finish, or look yourself."],
    ["STATE_CORRUPT", corrupt("shop/dev/journal/1", "its digest does not match").message],
  ] as const)("is reported with the way to handle %s once", (code, message) => {
    const lines = failureLines([failureNote(new EngineError(code, message))], look);
    expect(lines).toEqual([`error    ${message} [${code}]`]);
  });

  it("outside of any resource comes last: a function of a scope, a deferred one", async () => {
    const lines = await printed({}, async () => {
      await rejection(engine.run("s", () => Promise.reject(new TypeError("Odd."))));
      const { currentScope } = await import("../../core/contract/current.js");
      currentScope()
        .defer(() => Promise.reject(new RangeError("Late.")))
        .catch(() => {});
    });
    expect(lines).toEqual([
      "shop/dev up FAILED in …: nothing was done",
      "error    TypeError: Odd.",
      "error    RangeError: Late.",
    ]);
  });

  it("has one line of the program with it, and its stack with --verbose", async () => {
    const lines: string[] = [];
    const logger = { info: () => {}, error: (line: string) => void lines.push(line) };
    const Deep = Resource("console-failures:Deep", {
      create: () => inner(() => inner(() => Promise.reject(new Error("No.")))),
    });
    const frames = async (options: EngineOptions): Promise<number> => {
      lines.length = 0;
      const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), logger, ...options });
      await rejection(Deep("a"));
      await rejection(app.finalize());
      return lines.filter((line) => /^ {13}at .*console-failures/.test(line)).length;
    };
    expect(await frames({})).toBe(1);
    expect(await frames({ verbose: true })).toBeGreaterThan(3);
  });

  it("in one run is not told again in the next one of the app", async () => {
    const lines: string[] = [];
    const logger = { info: () => {}, error: (line: string) => void lines.push(line) };
    const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), logger });
    await rejection(Box("a"));
    await rejection(app.finalize());
    lines.length = 0;
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(lines.filter((line) => !line.startsWith("warning"))).toEqual([]);
  });

  it("has its causes, the nearest line of the program, and what to do", () => {
    const deepest = Object.assign(new TypeError("No route."), {
      stack:
        "TypeError: No route.\n    at connect (node:net:1:1)\n    at send (/app/node_modules/x/y.js:1:1)\n    at deploy (/app/deploy.ts:3:7)\n    at main (/app/deploy.ts:9:1)",
    });
    const inner = new Error("Request failed.", { cause: deepest });
    const error = new EngineError("TIMEOUT", 'create of "shop/dev/a" failed: It took too long.', {
      fqn: "shop/dev/a",
      cause: inner,
    });
    const said = [
      "error    It took too long. [TIMEOUT]",
      "         because: Error: Request failed.",
      "         because: TypeError: No route.",
      "             at deploy (/app/deploy.ts:3:7)",
      '         Make the handler or the command faster, or give it a longer timeout. The next "engine up" continues from there.',
    ];
    expect(failureLines([failureNote(error)], look)).toEqual(said);
    expect(failureLines([failureNote(error)], { ...look, isVerbose: true })).toEqual([
      ...said.slice(0, 4),
      "             at main (/app/deploy.ts:9:1)",
      ...said.slice(4),
    ]);
  });

  it("is reported for fifty, and counted beyond", () => {
    const notes = Array.from({ length: 53 }, (_, index) => failureNote(new Error(`No ${index}.`)));
    const lines = failureLines(notes, look);
    expect(lines.filter((line) => line.startsWith("error    No"))).toHaveLength(50);
    expect(lines.at(-1)).toBe("         and 3 more");
  });

  it("ends where causes go in a circle", () => {
    const [one, two] = [new Error("One."), new Error("Two.")];
    one.cause = two;
    two.cause = one;
    expect(failureNote(one).causes).toEqual(["Error: One.", "Error: Two."]);
  });
});

describe("a run that waits for another, where only lines are printed", () => {
  afterEach(() => void vi.useRealTimers());

  it("says so again after half a minute and then each minute, until it goes on", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
    const host = newHost();
    const lines: string[] = [];
    sayStillWaiting(host.events, host.control, (line) => void lines.push(line));
    host.bus.emit("state:waiting", held("ada@here", "noon"));
    vi.advanceTimersByTime(29_999);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(120_001);
    const said = ["30 s", "1 min 30 s", "2 min 30 s"].map(
      (time) => `waiting  for ada@here, running since noon: ${time} so far`,
    );
    expect(lines).toEqual(said);
    host.bus.emit("run:started", {
      run: "1a",
      app: "shop",
      stage: "dev",
      phase: "up",
      planned: false,
      by: { user: "ada", host: "here", pid: 1 },
    });
    vi.advanceTimersByTime(600_000);
    expect(lines).toEqual(said);
  });

  it("says nothing more once the wait has ended, though the run has neither begun to write nor ended", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
    const host = newHost();
    const lines: string[] = [];
    sayStillWaiting(host.events, host.control, (line) => void lines.push(line));
    const wait = held("ada@here", "noon");
    host.bus.emit("state:waiting", wait);
    vi.advanceTimersByTime(30_000);
    expect(lines).toHaveLength(1);
    host.bus.emit("state:waited", wait);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(1);
  });
});

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
    [{ TERM: "dumb" }, true, false],
    [{ CI: "true" }, true, false],
    [{ CI: "true", FORCE_COLOR: "1" }, false, true],
  ])("in an environment of %j, on a terminal: %j, are there: %j", (env, isTerminal, are) => {
    expect(wantsColours(env, isTerminal)).toBe(are);
  });
});
