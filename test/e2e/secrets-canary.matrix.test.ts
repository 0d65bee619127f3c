import type { EngineOptions, HookName, PluginHost } from "../../core/contract/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { type Canary, textsOf } from "./canary/canaries.ts";
import { failingStores, printingCommands } from "./canary/commands.ts";
import type { Journey } from "./canary/journey.ts";
import { intendedWays } from "./canary/runs.ts";
import { shapes } from "./canary/shapes.ts";
import { noneIsSeen } from "./canary/suite.ts";
import { acts, Checked, Thing, Watched } from "./canary/things.ts";

/** Each shape with each group of the secrets, under an id of its own. */
function carried(all: readonly Canary[]): readonly (readonly [id: string, thrown: () => unknown])[] {
  return Object.entries(shapes).flatMap(([shape, make]) =>
    textsOf(all, 100).map((text, index) => [`${shape}-${index}`, () => make(text)] as const),
  );
}

const rejected = (thrown: unknown): Promise<never> => Promise.reject(thrown);

async function failingHandlers(journey: Journey, all: readonly Canary[]): Promise<void> {
  const ways = carried(all);
  const each = (type: typeof Thing, value?: number) => async () => {
    const made = ways.map(([id]) => type(id, { value }));
    for (const result of await Promise.allSettled(made)) if (result.status === "rejected") journey.tell(result.reason);
  };
  for (const [id, thrown] of ways)
    for (const phase of ["create", "update", "delete", "read"]) acts.set(`${phase} ${id}`, () => rejected(thrown()));
  await journey.fails("create", each(Thing, 1));
  await journey.fails("create of what is read", each(Watched, 1), { stage: "read", json: true });
  await journey.fails("read after a create that failed", each(Watched, 1), { stage: "read" });
  acts.clear();
  await journey.run(each(Thing, 1));
  for (const [id, thrown] of ways)
    for (const phase of ["update", "delete"]) acts.set(`${phase} ${id}`, () => rejected(thrown()));
  await journey.fails("update", each(Thing, 2));
  await journey.fails("delete", undefined, { json: true });
  await journey.fails("destroy", undefined, { phase: "destroy" });
  acts.clear();
  await journey.run(undefined, { phase: "destroy" });
}

/** Errors of the program and its plugins outside handlers. */
async function failingPrograms(journey: Journey, all: readonly Canary[]): Promise<void> {
  const ways = carried(all);
  const tell = (error: unknown): void => journey.tell(error);
  await journey.fails("defer", (app) => ways.forEach(([, thrown]) => void app.defer(() => rejected(thrown()))));
  await journey.fails("a promise in props", () =>
    Promise.all(ways.map(([id, thrown]) => Promise.resolve(Thing(id, { value: rejected(thrown()) })).catch(tell))),
  );
  await journey.fails("a getter", async (app) => {
    const [text = ""] = textsOf(all, 300);
    const value = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error(text);
      },
    });
    await Promise.resolve(Thing("getter", { value })).catch(tell);
    await app.set("getter", value).catch(tell);
    throw new Error("as well");
  });
  await journey.fails("a schema", () =>
    Promise.all(
      all.flatMap(({ text }, index) =>
        ["throws", "finds"].map((name) =>
          Promise.resolve(Checked(`${name}${index}`, { name, value: new Secret(text) })).catch(tell),
        ),
      ),
    ),
  );
  await journey.run((app) => {
    for (const [, thrown] of ways) app.onCleanup(() => rejected(thrown()));
  });
  const controller = new AbortController();
  const [everything = ""] = textsOf(all, 300);
  acts.set("create stopped", () => controller.abort(new Error(everything)));
  acts.set("create never", () => {});
  const stopped = async (): Promise<void> => {
    const made = [Thing("stopped"), Thing("never")];
    for (const result of await Promise.allSettled(made)) if (result.status === "rejected") tell(result.reason);
  };
  await journey.fails("an interruption", stopped, { signal: controller.signal, concurrency: 1 });
  await journey.run(undefined, { phase: "destroy" });
  acts.clear();
}

const TAPPED = [
  "options",
  "stateLoaded",
  "scopeCreated",
  "props",
  "beforeApply",
  "afterApply",
  "applyFailed",
  "beforeDelete",
  "afterDelete",
  "deleteFailed",
  "beforePrune",
  "beforeFinalize",
  "afterFinalize",
  "encodeValue",
  "cleanup",
] as const satisfies readonly HookName[];

/** The codec does not know this class, so plugins are asked. */
class Odd {}

async function failingPlugins(journey: Journey, all: readonly Canary[]): Promise<void> {
  const [text = ""] = textsOf(all, 300);
  // A few of the shapes at a time, each of them in several places.
  let turn = 0;
  const thrown = (): Error => {
    turn++;
    const some = Object.values(shapes).filter((_, index) => (index + turn) % 5 === 0);
    return new AggregateError([new Error(text), ...some.map((make) => make(text))], text);
  };
  const reached = new Set<HookName>();
  acts.set("create fails", () => rejected(new Error("oops")));
  const program = async (): Promise<void> => {
    await journey.engine.run("inner", () => Thing("inner")).catch((error) => journey.tell(error));
    const made = [Thing("one"), Thing("odd", { value: new Odd() }), Thing("fails")];
    for (const result of await Promise.allSettled(made)) if (result.status === "rejected") journey.tell(result.reason);
  };
  const failing = (name: HookName) =>
    journey.with(name, ({ hooks }) =>
      tapThat(hooks, name, () => {
        reached.add(name);
        throw thrown();
      }),
    );
  for (const name of TAPPED) {
    await journey.run(() => Thing("old"), { stage: name });
    if (name === "deleteFailed") acts.set("delete old", () => rejected(new Error("oops")));
    await journey.run(program, { stage: name, ...failing(name) });
    await journey.run(undefined, { stage: name, json: true, ...failing(name) });
    acts.delete("delete old");
    if (!reached.has(name)) journey.missed.push(name);
  }
  await journey.fails(
    "apply",
    undefined,
    journey.with("apply", () => {
      throw thrown();
    }),
  );
  await journey.fails("a store", undefined, {
    stateStore: () => {
      throw thrown();
    },
  });
  await journey.run(
    program,
    journey.with("warning", ({ events, warn }) => {
      warn("EARLY", text);
      Reflect.apply(warn, undefined, ["ODD", { text }]);
      events.on("resource:created", () => {
        throw thrown();
      });
      events.on("run:started", () => warn("LATE", JSON.stringify(text)));
      events.on("scope:created", () => void Reflect.apply(warn, undefined, ["ERROR", new Error(text)]));
    }),
  );
  await journey.run(undefined, keeping(journey, text));
  acts.clear();
}

function keeping(journey: Journey, text: string): EngineOptions {
  return journey.with("keeping", ({ hooks }) =>
    hooks.beforePrune.tap("keeping", ({ items, keep }) => {
      for (const item of items) keep(item, `for ${text}`);
    }),
  );
}

function tapThat(hooks: PluginHost["hooks"], name: HookName, fn: () => never): void {
  if (name === "handler" || name === "storeRequest") hooks[name].tapPromise(name, fn);
  else hooks[name].tap(name, fn);
}

noneIsSeen([
  ["that commands print", printingCommands],
  ["that are recorded, changed, read and deleted", intendedWays],
  ["that stores throw", failingStores],
  ["that handlers throw", failingHandlers],
  ["that programs throw", failingPrograms],
  ["that plugins throw", failingPlugins],
]);
