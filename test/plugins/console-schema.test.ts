import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { AnyEvent, EngineEvents, EngineOptions, EventName } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { membersOf } from "../../docs/tables/code.ts";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { held, holder } from "../helpers/time/held.ts";
import { read } from "../house/project.ts";

const schema: { oneOf: { $ref: string }[] } = JSON.parse(read("plugins/console-output/events.schema.json"));
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);
const problems = (event: object): readonly ErrorObject[] => (validate(event) ? [] : (validate.errors ?? []));

const ref = { kind: "K", id: "a", fqn: "shop/dev/a", quiet: true } as const;
const run = { app: "shop", stage: "dev", phase: "up" } as const;
const info = { ...run, run: "1a", planned: false, by: { user: "ada", host: "here", pid: 1, ci: "https://ci.test/1" } };
const failure = {
  code: "HANDLER_FAILED",
  message: "No.",
  fqn: "shop/dev/a",
  causes: ["Error: No."],
  frames: ["at f (x.ts:1:1)"],
  holder,
};
const summary = {
  created: 1,
  updated: 0,
  replaced: 0,
  adopted: 0,
  read: 0,
  unchanged: 0,
  deleted: 0,
  retained: 0,
  left: 0,
  failed: 1,
  stopped: 0,
  notBegun: 0,
};
const notDeleted = { message: "No.", time: "2026-03-01T09:00:00.000Z", attempts: 2 };
const note = { ...ref, reason: "why" };
const change = { path: "/a", old: 1, new: { deep: [null] } };

/** One of each, with all possible members: the compiler notices a missing one. */
const samples: { readonly [N in EventName]: Required<EngineEvents[N]> } = {
  "run:started": info,
  "run:finished": { ...info, ok: false, interrupted: false, summary, duration: 1.5, errors: [failure] },
  "run:failed": { ...info, ...failure },
  "run:repeated": info,
  "plan:made": {
    format: 1,
    ...run,
    actions: [
      {
        ...note,
        action: "replace",
        changes: [change],
        drift: [{ path: "" }],
        certain: true,
        mayReplace: false,
        replaced: true,
        props: { a: 1 },
        deletesFirst: ["shop/dev/b"],
      },
    ],
    counts: { create: 0, update: 0, replace: 1, adopt: 0, delete: 0, unchanged: 0 },
    uncertain: { create: 0, update: 0, replace: 0, adopt: 0, delete: 0 },
    unknown: [note],
    renamed: [note],
    recordOnly: [note],
    kept: [note],
    leftOut: [note],
    stopped: "here",
    errors: [{ code: "PROTECTED", message: "No.", fqn: "shop/dev/a" }],
    state: { lineage: "x", seq: 1, lines: 2, digest: "d", contents: "" },
  },
  "program:ended": { app: "shop", stage: "dev" },
  "scope:created": { fqn: "shop/dev" },
  "resource:queued": { ...ref, action: "create" },
  "resource:started": { ...ref, action: "create", waited: 2 },
  "resource:created": { ...ref, duration: 1, waited: 2 },
  "resource:updated": { ...ref, duration: 1, waited: 2 },
  "resource:replaced": { ...ref, duration: 1, waited: 2 },
  "resource:adopted": { ...ref, duration: 1, waited: 2 },
  "resource:deleted": { ...ref, duration: 1, waited: 2 },
  "resource:read": { ...ref, duration: 1 },
  "resource:unchanged": ref,
  "resource:retained": note,
  "resource:failed": { ...ref, action: "delete", ...failure, deleteFailed: notDeleted },
  "resource:stopped": { ...ref, action: "create" },
  "resource:looked": { ...ref, total: 3 },
  "resource:drifted": { ...ref, gone: false, paths: ["/size"] },
  "resource:retrying": { ...ref, action: "create", attempt: 2, attempts: 3, delay: 10, message: "No." },
  "resource:log": { ...ref, message: "Hello." },
  "state:waiting": held(),
  "state:waited": held(),
  "state:locked": { session: "s" },
  "state:taken-over": held(),
  "state:committed": { seq: 1, changes: 2 },
  "state:unlocked": { session: "s" },
  "process:started": { id: "a", fqn: "shop/dev/a", pid: 1 },
  "process:exited": { id: "a", fqn: "shop/dev/a", pid: 1, exitCode: null },
  "process:log": { id: "a", fqn: "shop/dev/a", pid: 1, message: "listening" },
  "tunnel:opened": { host: "127.0.0.1", port: 3000, url: "https://a.test" },
  warning: { code: "X", message: "Y", fqn: "shop/dev/a", fqns: ["shop/dev/a"] },
};

describe("the schema of the events", () => {
  it("has every event, and no other", () => {
    const names = membersOf("EngineEvents", "core/contract");
    expect(schema.oneOf.map(({ $ref }) => $ref.replace("#/$defs/", "")).sort()).toEqual([...names].sort());
  });

  it.each(Object.entries(samples))("takes %s with all that it can have, and nothing else", (type, sample) => {
    const time = holder.since;
    expect(problems({ v: 1, type, time, ...sample })).toEqual([]);
    expect(problems({ v: 1, type, time, ...sample, more: 1 })).not.toEqual([]);
    expect(problems({ v: 2, type, time, ...sample })).not.toEqual([]);
    for (const less of [sample, { time }]) expect(problems({ v: 1, type, ...less })).not.toEqual([]);
  });
});

const engine = createEngine({ plugins: [consoleOutput()] });
const interruption = new AbortController();
let size = 1;
interface BoxProps {
  readonly text?: string;
  readonly fails?: boolean;
  readonly name?: string;
}

const Box = Resource<{ size: number }, BoxProps>("schema:Box", {
  create({ id, props, log, signal }) {
    if (id === "stops") interruption.abort();
    signal.throwIfAborted();
    log("Hello.");
    if (props.fails) throw new Error("No paper.", { cause: new TypeError("No tree.") });
    return { size };
  },
  read: ({ output, adopt }) => (output || adopt ? { size } : undefined),
  update: () => ({ size }),
  delete: () => {},
  replaceOn: ["name"],
});

/** Options of a run that prints nothing, and that other runs wait for. */
const HOLDING = { stage: "dev", argv: [], env: {}, quiet: true, durability: "full" } as const;

/** Events that a run prints. */
async function printed(options: EngineOptions, program: () => Promise<unknown> | void = () => {}): Promise<AnyEvent[]> {
  const lines: string[] = [];
  const logger = { info: (line: string) => void lines.push(line), error: () => {} };
  const given = { stage: "dev", argv: [], env: {}, json: true, logger, ...options };
  const app = await engine("shop", given).catch(() => undefined);
  await app?.run(program).catch(() => {});
  await app?.finalize().catch(() => {});
  return lines.map((line) => JSON.parse(line));
}

/** Runs that emit every event that is possible within one process. */
async function everything(): Promise<AnyEvent[]> {
  const stateStore = memoryStore();
  const first = await printed({ stateStore }, async () => {
    await Box("a", { text: "1" });
    await Promise.all([Box("b", { name: "1" }), Box("gone"), Box("kept", {}, { retainOnDelete: true })]);
    await Box("adopted", {}, { adopt: true });
  });
  size = 2;
  const second = await printed({ stateStore, refresh: true, quiet: true }, async () => {
    await Promise.all([Box("a", { text: "2" }), Box("b", { name: "2" }), Box("adopted")]);
    await engine.run("child", () => Box("c"));
  });
  const declare = async (): Promise<unknown> =>
    Promise.all([Box("a", { text: "3" }), Box("b", { name: "3" }), Box("new")]);
  const plan = await printed({ stateStore, plan: true, refresh: true }, declare);
  const unchanged = await printed({ stateStore }, () => Box("a", { text: "2" }));
  const failing = await printed({ stateStore }, () =>
    Box("broken", { fails: true }, { retry: { attempts: 2, delay: 1, when: () => true } }),
  );
  const third = await printed({ stateStore, phase: "read" }, () => Box("a"));
  const other = memoryStore();
  const has = await engine("shop", { ...HOLDING, stateStore: other });
  await has.run(() => Box("held").then(() => has.set("key", 1)));
  const refused = await printed({ stateStore: other, lockTimeout: 500 });
  await has.finalize();
  const unfinished = await unfinishedRun();
  const interrupted = await printed({ stateStore: memoryStore(), signal: interruption.signal }, () => Box("stops"));
  return [first, second, plan, unchanged, failing, third, refused, unfinished, interrupted].flat();
}

async function unfinishedRun(): Promise<AnyEvent[]> {
  const lines: string[] = [];
  const logger = { info: (line: string) => void lines.push(line), error: () => {} };
  const app = await engine("shop", { stage: "dev", argv: [], env: {}, json: true, logger, stateStore: memoryStore() });
  await app[Symbol.asyncDispose]();
  return lines.map((line) => JSON.parse(line));
}

/** No test here starts a process or opens a tunnel; test/e2e covers the end of the program and a dead owner. */
const PROCESSES = ["process:started", "process:exited", "process:log"];
const ELSEWHERE = [...PROCESSES, "program:ended", "run:repeated", "state:taken-over", "tunnel:opened"];

describe("what runs print with --json", () => {
  it("is as the schema says, whatever they do", async () => {
    const events = await everything();
    expect(events.flatMap((event) => problems(event).map((problem) => ({ event, problem })))).toEqual([]);
    const names = membersOf("EngineEvents", "core/contract");
    const seen = new Set(events.map(({ type }) => type));
    expect(names.filter((name) => !seen.has(name as EventName)).sort()).toEqual(ELSEWHERE.sort());
  });

  it("tells of a start that failed, once, by run:failed", async () => {
    const stateStore = memoryStore();
    const has = await engine("shop", { ...HOLDING, stateStore });
    await has.run(() => has.set("key", 1));
    const events = await printed({ stateStore });
    expect(events).toMatchObject([
      { type: "run:failed", app: "shop", stage: "dev", phase: "up", code: "STATE_LOCKED" },
    ]);
    expect(events[0]).toMatchObject({
      message: expect.stringContaining("engine state unlock"),
      holder: { pid: process.pid, command: "up", process: "runs", since: expect.any(String) },
    });
    await has.finalize();
  });

  it("tells of a failed destroy inside engine() by run:finished alone", async () => {
    const stateStore = memoryStore();
    const Stuck = Resource("schema:Stuck", { create: () => ({}), delete: () => Promise.reject(new Error("Stuck.")) });
    await printed({ stateStore }, () => Stuck("a"));
    const events = await printed({ stateStore, phase: "destroy" });
    expect(events.filter(({ type }) => type === "run:failed")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "run:finished", ok: false, errors: [{ code: "HANDLER_FAILED" }] });
  });

  it("gives what failed beside resources, with its causes", async () => {
    const fails = async (): Promise<unknown> => rejection(engine.run("s", () => Promise.reject(new TypeError("Odd."))));
    const events = await printed({ stateStore: memoryStore() }, fails);
    expect(events.at(-1)).toMatchObject({
      errors: [
        {
          code: "RUN_FAILED",
          message: "Odd.",
          causes: ["TypeError: Odd."],
          frames: expect.arrayContaining([expect.stringContaining("console-schema")]),
        },
      ],
    });
  });
});
