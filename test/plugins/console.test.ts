import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { rejection } from "../helpers/apps/apps.ts";

const engine = createEngine({ plugins: [consoleOutput()] });
const apps = new Set<Scope>();
afterEach(async () => {
  for (const app of apps) await app[Symbol.asyncDispose]();
});

interface Shown {
  /** Printed lines, with times replaced by `…`. */
  readonly info: string[];
  readonly error: string[];
}

function shown(): Shown & { readonly logger: NonNullable<EngineOptions["logger"]> } {
  const info: string[] = [];
  const error: string[] = [];
  const timeless = (line: string) => line.replace(/\d+(\.\d)? (ms|s)\b/g, "…");
  return {
    info,
    error,
    logger: { info: (line) => info.push(timeless(line)), error: (line) => error.push(timeless(line)) },
  };
}

async function open(options: EngineOptions): Promise<Scope> {
  const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), ...options });
  apps.add(app);
  return app;
}

interface BoxProps {
  readonly text?: string;
  readonly size?: number;
  readonly says?: string;
  readonly fails?: string;
}

const make = ({ props, log }: { props: BoxProps; log(message: string): void }): { text: string } => {
  if (props.says !== undefined) log(props.says);
  if (props.fails !== undefined) throw new Error(props.fails);
  return { text: props.text ?? "" };
};
const Box = Resource<{ text: string }, BoxProps>("test:Box", {
  create: (context) => make({ props: context.props, log: (message) => context.log(message) }),
  update: (context) => make({ props: context.props, log: (message) => context.log(message) }),
  delete: () => {},
  replaceOn: ["size"],
});

const frame = expect.stringMatching(/^ {13}at make .*console\.test\.ts/);

describe("the console shows one line", () => {
  it("for each resource that was created, updated, replaced or deleted, and a summary", async () => {
    const { logger, info, error } = shown();
    const app = await open({ logger });
    await Box("a", { text: "1" });
    await Box("b", { size: 1 });
    await Box("c");
    await app.finalize();
    await app.run(async () => {
      await Box("a", { text: "2" });
      await Box("b", { size: 2 });
      await Box("d");
    });
    await app.finalize();
    expect(info).toEqual([
      "created  shop/dev/a  (test:Box, …)",
      "created  shop/dev/b  (test:Box, …)",
      "created  shop/dev/c  (test:Box, …)",
      "shop/dev up done in …: 3 created",
      "updated  shop/dev/a  (test:Box, …)",
      "replaced shop/dev/b  (test:Box, …)",
      "created  shop/dev/d  (test:Box, …)",
      "deleted  shop/dev/c  (test:Box, …)",
      "deleted  shop/dev/b  (test:Box, …)",
      "shop/dev up done in …: 1 created, 1 updated, 1 replaced, 2 deleted",
    ]);
    expect(error).toEqual([]);
  });

  it("for a run that did nothing", async () => {
    const { logger, info } = shown();
    const app = await open({ logger });
    await app.finalize();
    expect(info).toEqual(["shop/dev up done in …: nothing to do"]);
  });

  it("for a run that changed nothing, with how many are unchanged", async () => {
    const { logger, info } = shown();
    const app = await open({});
    await Box("a");
    await app.finalize();
    const stateStore = memoryStore();
    const first = await open({ stateStore });
    await Box("a");
    await first.finalize();
    const second = await open({ stateStore, logger });
    await Box("a");
    await second.finalize();
    expect(info).toEqual(["shop/dev up done in …: 1 unchanged"]);
  });

  it("for each resource that was kept, and why", async () => {
    const { logger, info } = shown();
    const app = await open({ logger, destroyOrphans: false });
    await Box("a");
    await app.finalize();
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(info.slice(2)).toEqual([
      "kept     shop/dev/a  (test:Box: destroyOrphans is false)",
      "shop/dev up done in …: 1 retained",
    ]);
  });

  it("for each line that a handler logs", async () => {
    const { logger, info } = shown();
    await open({ logger });
    await Box("a", { says: "one\ntwo" });
    expect(info).toEqual([
      "         shop/dev/a: one",
      "         shop/dev/a: two",
      "created  shop/dev/a  (test:Box, …)",
    ]);
  });

  it("for what failed, as an error, once", async () => {
    const { logger, info, error } = shown();
    const app = await open({ logger });
    await rejection(Box("a", { fails: "No\npaper." }));
    await rejection(app.finalize());
    expect(error).toEqual(["FAILED   shop/dev/a  (test:Box, create): No", "         paper.", frame]);
    expect(info).toEqual(["shop/dev up FAILED in …: 1 failed"]);
  });

  it("for warnings, as errors, also those that a plugin gives while it is installed", async () => {
    const { logger, error } = shown();
    const warning = definePlugin({
      name: "warning",
      apply({ warn, hooks }) {
        warn("EARLY", "Soon.");
        hooks.scopeCreated.tap("warning", () => warn("LATE", "Now.\nReally."));
      },
    });
    await open({ logger, plugins: [warning] });
    expect(error).toEqual(["warning  Soon. [EARLY]", "warning  Now.", "         Really. [LATE]"]);
  });

  it("on standard error for a call that failed and is made again, also where it is quiet", async () => {
    const { logger, info, error } = shown();
    const app = await open({ logger, quiet: true });
    const retry = { attempts: 3, delay: 1, when: () => true };
    await rejection(Box("a", { fails: "No paper.\nNo ink." }, { retry }));
    await rejection(app.finalize());
    expect(info).toEqual([]);
    expect(error.slice(0, 5)).toEqual([
      "retrying shop/dev/a  (create, call 2 of 3 in …): No paper.",
      "         No ink.",
      'warning  The create of "shop/dev/a" failed. "test:Box" has no read handler that could tell whether that create took effect, so the engine repeats it. After the run, check whether a duplicate exists. If so, delete the one that is not in the state ("engine state show shop/dev/a" prints the recorded one). [REPEATED_CREATE]',
      "retrying shop/dev/a  (create, call 3 of 3 in …): No paper.",
      "         No ink.",
    ]);
    expect(error[5]).toMatch(/^FAILED/);
  });

  it("and never more than one a call", async () => {
    const { logger, info, error } = shown();
    const app = await open({ logger });
    await rejection(Box("a", { fails: "a\nb", says: "c\r\nd" }));
    await rejection(app.finalize());
    expect([...info, ...error].filter((line) => /[\r\n]/.test(line))).toEqual([]);
  });
});

describe("quiet", () => {
  it("prints no create, update and delete messages and no summary, but failures and warnings", async () => {
    const { logger, info, error } = shown();
    const app = await open({ logger, quiet: true, destroyOrphans: false });
    await Box("a", { text: "1", says: "Hello." });
    await app.finalize();
    await app.run(async () => {
      await rejection(Box("b", { fails: "No paper." }));
      app.onCleanup(() => Promise.reject(new Error("Stuck.")));
    });
    await rejection(app.finalize());
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(info).toEqual([]);
    expect(error).toEqual([
      "FAILED   shop/dev/b  (test:Box, create): No paper.",
      frame,
      "warning  Stuck. [CLEANUP_FAILED]",
    ]);
  });

  it("of one scope hushes what is done in that scope", async () => {
    const { logger, info } = shown();
    const app = await open({ logger });
    await Box("a");
    await engine.run("hushed", { quiet: true }, () => Box("b", { says: "Hello." }));
    await app.finalize();
    expect(info).toEqual(["created  shop/dev/a  (test:Box, …)", "shop/dev up done in …: 2 created"]);
  });

  it("of the root does not hush a scope that says quiet: false", async () => {
    const { logger, info } = shown();
    const app = await open({ logger, quiet: true });
    await Box("a");
    await engine.run("loud", { quiet: false }, () => Box("b"));
    await app.finalize();
    expect(info).toEqual(["created  shop/dev/loud/b  (test:Box, …)"]);
  });
});

describe("the logger", () => {
  it("of each engine() is its own, whatever the app is called", async () => {
    const [one, two] = [shown(), shown()];
    for (const { logger } of [one, two]) {
      const app = await open({ logger });
      await Box("a");
      await app.finalize();
    }
    expect(one.info).toEqual(two.info);
    expect(one.info).toHaveLength(2);
  });
});
