import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const engine = createEngine({ plugins: [cliArgs(), consoleOutput()] });
const apps = new Set<Scope>();
afterEach(async () => {
  for (const app of apps) await app[Symbol.asyncDispose]();
});

async function open(options: EngineOptions): Promise<{ app: Scope; lines: string[]; errors: string[] }> {
  const lines: string[] = [];
  const errors: string[] = [];
  const logger = { info: (line: string) => void lines.push(line), error: (line: string) => void errors.push(line) };
  const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), argv: [], logger, ...options });
  apps.add(app);
  return { app, lines, errors };
}

describe("--json", () => {
  it("prints every event as one line of JSON with v and type, and nothing for people", async () => {
    const { app, lines, errors } = await open({ argv: ["--json"] });
    const { Thing } = newThings();
    await Thing("a", { text: "line\nbreak" });
    await rejection(Thing("b", { fails: "No\npaper." }));
    await rejection(app.finalize());
    const events = lines.map((line): { v: unknown; type: unknown } => JSON.parse(line));
    expect(events.map(({ v }) => v)).toEqual(events.map(() => 1));
    expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
    expect(errors).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "run:started",
        "scope:created",
        "resource:started",
        "resource:created",
        "resource:failed",
        "state:committed",
        "state:unlocked",
        "run:finished",
      ]),
    );
    expect(events.at(-1)).toMatchObject({ type: "run:finished", ok: false, summary: { created: 1, failed: 1 } });
  });

  it("prints warnings that came before the run", async () => {
    const { lines } = await open({ argv: ["--json", "--read"], phase: "up" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ v: 1, type: "warning", code: "PHASE_CONFLICT" });
  });

  it("is the option json, too", async () => {
    const { lines } = await open({ json: true });
    expect(lines.length).toBeGreaterThan(0);
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
  });

  it("prints what quiet hushes, marked as quiet", async () => {
    const { app, lines } = await open({ json: true, quiet: true });
    const { Thing } = newThings();
    await Thing("a");
    await app.finalize();
    const created = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "resource:created");
    expect(created).toMatchObject([{ fqn: "shop/dev/a", quiet: true }]);
  });
});
