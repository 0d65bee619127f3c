import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { compiledProgram } from "../helpers/processes/compiled-program.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../helpers/terminal/terminal.ts";
import { describeUnless } from "../servers/given.ts";

let cwd = "";
let terminal: Terminal | undefined;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "terminal-"));
});
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await rm(cwd, { recursive: true });
});

async function open(name: string, args: readonly string[], [columns, rows]: [number, number] = [60, 20], env = {}) {
  const file = compiledProgram(new URL(`programs/${name}.child.ts`, import.meta.url));
  const command = [process.execPath, file, ...args];
  terminal = await openTerminal(command, { env, cwd, columns, rows });
  return terminal;
}

const make = (file: string): Promise<void> => writeFile(join(cwd, file), "");
/** The status line. */
const status = /^live\/dev up: \d+ done, \d+ running, \d+ s$/;
const isLive = (screen: readonly string[]): boolean => screen.some((line) => status.test(line));

describeUnless(lacksTerminal, "a run on a terminal", () => {
  it("shows running handlers and their times below finished ones, in a third of the screen, and leaves no trace", async () => {
    const { until, ended, isCursorVisible } = await open("live", ["many"]);
    const screen = await until(
      (lines) => isLive(lines) && lines.some((line) => /\b[1-9]\d* s {2}live\/dev\/first$/.test(line)),
    );
    expect(screen[0]).toMatch(/^created {2}live\/dev\/quick {2}\(e2e:Quick, \d+ ms\)$/);
    const timeless = (line: string): string => line.replace(/\d+ s$/, "…").replace(/ {3}[ \d]\d s\b/, "    …");
    expect(screen.slice(1).map(timeless)).toEqual([
      "live/dev up: 1 done, 33 running, …",
      "  create     …  live/dev/first",
      expect.stringMatching(/^ {2}create {5}… {2}live\/dev\/日本語.*….*🚀$/u),
      expect.stringMatching(/^ {2}create {5}… {2}live\/dev\/x+…x+$/),
      "  create     …  live/dev/n1",
      "  and 29 more",
    ]);
    await make("go");
    const last = await ended();
    expect(last.slice(-2)).toEqual([expect.stringMatching(/^live\/dev up done in .* s: 34 created$/), "ended with 0"]);
    expect(last.filter((line) => /\d running|and \d+ more/.test(line))).toEqual([]);
    expect(await isCursorVisible()).toBe(true);
  });

  it("cuts lines when it becomes narrow, down to 20 columns, and leaves nothing of the wide ones", async () => {
    const { until, resize, history } = await open("live", ["many"], [80, 24]);
    await until(isLive);
    for (const columns of [45, 20]) {
      await resize(columns, 24);
      const isFitted = (lines: readonly string[]): boolean => {
        const [from, ...more] = lines.flatMap((line, index) => (line.startsWith("live/dev up") ? [index] : []));
        return from !== undefined && more.length === 0 && lines.length - from === 8;
      };
      const screen = await until((lines) => isFitted(lines) && lines.at(-1)?.trim() === "and 27 more");
      const region = screen.slice(-8);
      expect(Math.max(...region.map(({ length }) => length))).toBeLessThan(columns);
      // A terminal that folds lines scrolls the topmost ones out of sight.
      const all = await history();
      expect(all.join("")).toMatch(/^created {2}live\/dev\/quick {1,2}\(e2e:Quick, \d+ ?ms\)/);
      // Scrolled lines of the region cannot be erased.
      expect(all.filter((line) => line.includes("and 27 more"))).toHaveLength(1);
    }
  });

  it("has the program's output above it, whole and in its order", async () => {
    const { until, ended } = await open("live", ["chatty"]);
    await until(isLive);
    await make("talk");
    const screen = await until((lines) => lines.includes("talked") && isLive(lines));
    expect(screen.slice(1, 7)).toEqual([
      "one",
      "two",
      "to standard error",
      "a part and the rest",
      "talked",
      expect.stringMatching(status),
    ]);
    await make("go");
    expect((await ended()).filter((line) => status.test(line))).toEqual([]);
  });

  it("tells a failure when it happens, with all about it, and not again", async () => {
    const { until, ended, colours } = await open("live", ["failing"], [100, 40]);
    await until(isLive);
    await make("go");
    const screen = await ended();
    expect(screen.filter((line) => line.startsWith("FAILED"))).toContain(
      "FAILED   live/dev/broken  (e2e:Slow, create): No paper.",
    );
    const from = screen.findIndex((line) => line.startsWith("FAILED   live/dev/broken"));
    expect(screen.slice(from + 1, from + 3)).toEqual([
      "         The tray is empty.",
      "         because: Error: connect ECONNREFUSED",
    ]);
    // The path of the program may be too long for the line.
    expect(screen.slice(from + 3, from + 5).join("")).toMatch(/^ {13}at .*live\.child\.js/);
    expect(screen.join("\n").split("No paper.")).toHaveLength(2);
    expect(screen.findIndex((line) => line.startsWith("live/dev up FAILED"))).toBeGreaterThan(from);
    expect(screen.filter((line) => /EngineError|RunFailedError|NOT_FINALIZED/.test(line))).toEqual([]);
    expect(screen.at(-1)).toBe("ended with 1");
    // Red.
    expect(await colours()).toContain("\u001B[31mFAILED");
  });

  it("leaves no trace of it, and a cursor, after Ctrl-C", async () => {
    const { until, press, ended, isCursorVisible } = await open("live", ["plain"], [100, 40]);
    await until(isLive);
    await press("C-c");
    const screen = await ended();
    expect(screen.at(-1)).toBe("ended with 130");
    expect(screen.filter((line) => status.test(line) || line.startsWith("  create"))).toEqual([]);
    expect(screen.filter((line) => line.startsWith("interrupted: waiting"))).toHaveLength(1);
    expect(await isCursorVisible()).toBe(true);
  });

  it("leaves no trace of it after process.exit()", async () => {
    const { until, ended } = await open("live", ["exiting"]);
    await until(isLive);
    await make("leave");
    const [first, ...rest] = await ended();
    expect(first).toMatch(/^created {2}live\/dev\/quick/);
    expect(rest.at(-1)).toBe("ended with 7");
    expect(rest.slice(0, -1).join(" ")).toMatch(/^warning .*before +finalize\(\).*\[NOT_FINALIZED\]$/);
  });

  it("shows for how long it has waited for whom", { timeout: 120_000 }, async () => {
    const holder = startProgram("locked", { cwd, args: ["holder"] });
    await holder.printed("holding");
    const { until, ended } = await open("locked", ["--lock-timeout", "1m", "second"], [100, 20]);
    const screen = await until((lines) => lines.some((line) => /^ {2}waiting [1-9]\d* s for /.test(line)));
    expect(screen[0]).toContain(`waiting  for `);
    expect(screen.filter((line) => line.includes(`(process ${holder.process.pid}`))).toHaveLength(2);
    holder.process.kill("SIGINT");
    await holder.ended;
    const last = await ended();
    expect(last.at(-1)).toBe("ended with 0");
    expect(last.filter((line) => line.startsWith("  waiting"))).toEqual([]);
  });

  it("has no live lines with --quiet, in CI, and on a terminal that can do nothing", async () => {
    const ways: readonly { args: string[]; env: Record<string, string> }[] = [
      { args: ["--quiet"], env: {} },
      { args: ["--json"], env: {} },
      { args: [], env: { CI: "1" } },
      { args: [], env: { TERM: "dumb" } },
    ];
    for (const { args, env } of ways) {
      const { until, screen, ended, close } = await open("live", [...args, "hushed"], [60, 20], env);
      await until((lines) => lines.includes("long enough"));
      // Live lines make way for printed lines, and come again.
      for (let looks = 0; looks < 15; looks++) {
        expect((await screen()).filter((line) => status.test(line))).toEqual([]);
      }
      await make("leave");
      await ended();
      await close();
      terminal = undefined;
      await rm(join(cwd, "leave"));
      await rm(join(cwd, ".engine"), { recursive: true, force: true });
    }
  });
});

describeUnless(lacksTerminal, "a plan on a terminal", () => {
  const plan = async (columns: number): Promise<string[]> => {
    await runProgram("planned", { cwd, env: { STEP: "1" } });
    const { ended } = await open("planned", ["--plan"], [columns, 40], { STEP: "2" });
    return ended();
  };

  it("has a row for each resource where 120 columns are enough", async () => {
    const screen = await plan(120);
    expect(screen.slice(0, -1)).toEqual([
      "± replace  planned/dev/logs                                 (planned:Bucket)  props.region changed, which forces a",
      "                                                                              replacement",
      '           region: "eu-west-1" → "eu-central-1"',
      "~ update   planned/dev/a-bucket-with-a-name-of-some-length  (planned:Bucket)  props.tags.team, props.tags.owner,",
      "                                                                              props.password changed",
      '           tags.team:  "infrastructure and platform" → "web"',
      '           tags.owner: (none) → "somebody with a rather long name"',
      "           password:   Secret(db) (changed)",
      "+ create   planned/dev/new                                  (planned:Bucket)  not recorded",
      '           region: "eu"',
      "- delete   planned/dev/old                                  (planned:Bucket)  no longer declared",
      '           region: "eu"',
      "",
      "plan of planned/dev: 1 to create, 1 to update, 1 to replace, 1 to delete",
    ]);
    const colours = await terminal?.colours();
    expect(colours).toContain('\u001B[31m"eu-west-1"\u001B[39m → \u001B[32m"eu-central-1"');
    expect(colours).toContain("\u001B[2mSecret(db)");
  });

  it("has reasons below names, and values below each other, at 60 columns", async () => {
    const screen = await plan(60);
    expect(Math.max(...screen.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(screen.slice(0, -1)).toEqual([
      "± replace  planned/dev/logs",
      "           (planned:Bucket) props.region changed, which",
      "           forces a replacement",
      '           region: "eu-west-1" → "eu-central-1"',
      "~ update   planned/dev/a-bucket-with-a-name-of-some-length",
      "           (planned:Bucket) props.tags.team,",
      "           props.tags.owner, props.password changed",
      '           tags.team:  "infrastructure and platform" → "web"',
      "           tags.owner: (none)",
      '                     → "somebody with a rather long name"',
      "           password:   Secret(db) (changed)",
      "+ create   planned/dev/new",
      "           (planned:Bucket) not recorded",
      '           region: "eu"',
      "- delete   planned/dev/old",
      "           (planned:Bucket) no longer declared",
      '           region: "eu"',
      "",
      "plan of planned/dev: 1 to create, 1 to update, 1 to replace,",
      "1 to delete",
    ]);
  });
});
