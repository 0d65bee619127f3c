/** A sealed stage with an example of everything that a state can hold, and with all earlier contents of its store. */

import { memoryStore } from "../../adapters/memory/index.js";
import type { Scope, StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import {
  advance,
  Contents,
  countLines,
  digestOfContents,
  emptyHead,
  type Head,
  type Loaded,
  load,
  locationOf,
  readSegment,
  type Segment,
} from "../../core/state/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { COST, PASSWORD } from "../helpers/apps/secret-stage.ts";
import { Stage } from "../helpers/apps/stage.ts";
import { lost, World } from "../helpers/apps/world.ts";
import { all, keys, put } from "./forging.ts";
import { sessionOn } from "./stages.ts";

export type Values = ReadonlyMap<string, string>;
export type Given = NonNullable<ConstructorParameters<typeof Stage>[0]>;

export interface VictimOptions {
  /** False: the store has no `append`. */
  readonly append?: boolean;
  /** Default: a password. */
  readonly opener?: { readonly password: string } | { readonly key: string };
  /** Default: app/dev. */
  readonly stage?: string;
}

export interface Victim {
  readonly world: World;
  readonly opener: { readonly password?: string; readonly key?: string };
  /** The contents of the store. */
  readonly values: Values;
  /** Its contents after each session, the oldest first. */
  readonly snapshots: readonly Values[];
  /** Contents after the first of them was put back, and runs continued from there. */
  readonly forks: readonly Values[];
  /** Every state that was ever recorded, as {@link nameOf} names it. */
  readonly states: ReadonlySet<string>;
  /** Runs of the program change nothing except pending work. */
  program(app: Scope): Promise<void>;
  /** The stage in another store, by default without its password or key. */
  on(store: StateStore, options?: Given): Stage;
  /** A store with these values. */
  store(values: Values): Promise<StateStore>;
}

export async function victim({
  append = true,
  opener = { password: PASSWORD },
  stage: name = "dev",
}: VictimOptions = {}): Promise<Victim> {
  const world = new World();
  const Thing = world.type({ read: true });
  const Renamed = world.type({ replaceOn: ["/name"] });
  const on = (stateStore: StateStore, options: Given = {}): Stage =>
    new Stage({ stage: name, ...options, stateStore }, { plugins: [secrets({ cost: COST })] });
  const own = memoryStore({ append });
  const stage = on(own, opener);
  const { engine } = stage;
  const snapshots: Values[] = [];
  let round = 0;

  async function program(app: Scope): Promise<void> {
    await app.set("token", new Secret("token of the root"));
    const a = await Thing("a", { value: { host: "db.internal", round, password: new Secret("hunter2") } });
    await engine.run("outer", async (scope) => {
      await scope.set("seed", new Secret("seed of the outer scope"));
      await Thing("b", { value: ["plain", null, 0], uses: a });
      await engine.run("inner", () => Thing("deep", { value: new Secret("deep") }));
    });
    await Thing("parent", { value: round });
    await Renamed("renamed", { name: round > 1 ? "new" : "old" });
    await app.outputs({ url: "https://db.internal", key: new Secret("key for others") });
    if (round > 1) await Thing("interrupted", {});
  }
  for (const call of ["create parent", "update parent"]) {
    world.on(call, async () => {
      await engine.run("rooms", () => Thing("child", { value: new Secret("child") }));
    });
  }
  const session = async (options: Given = {}): Promise<void> => {
    await stage.up(program, options).catch(() => {});
    snapshots.push(await all(own));
  };
  async function forked(from: Values): Promise<Values[]> {
    const other = memoryStore({ append });
    await put(other, from);
    const found: Values[] = [];
    for (const lock of ["lazy", "eager"] as const) {
      round++;
      await on(other, opener)
        .up(program, { lock })
        .catch(() => {});
      found.push(await all(other));
    }
    return found;
  }
  await session();
  round = 1;
  await session({ lock: "eager" });
  await crash(stage, own, opener);
  snapshots.push(await all(own));
  await session();
  round = 2;
  // Its old copy stays pending, and so does the create with an unknown result.
  world.fails("delete renamed");
  lost(world, "create interrupted");
  world.fails("read interrupted");
  await session();
  round = 3;
  await session();
  world.calm();
  const forks = await forked(snapshots[0] ?? new Map());
  world.news();
  const at = snapshots.length;
  return {
    world,
    opener,
    values: snapshots[at - 1] ?? new Map(),
    snapshots,
    forks,
    states: new Set([...statesIn(snapshots, name), ...statesIn([...snapshots.slice(0, 1), ...forks], name)]),
    program,
    on,
    async store(values) {
      const store = memoryStore({ append });
      await put(store, values);
      return store;
    },
  };
}

/** A session that was killed after a change, and one that took over from it without any. */
async function crash(stage: Stage, store: StateStore, opener: VictimOptions["opener"]): Promise<void> {
  for (const value of ["one", "two"]) {
    const ledger = await sessionOn(stage, { store, opener });
    await ledger.commit([{ op: "data", owner: "/", key: "crashed", value }], "now");
    await ledger.commit([{ op: "data", owner: "/", key: "crashed", value: `${value} more` }], "now");
    await ledger.letGo();
  }
}

/** Name of a loaded state: its head and its contents. */
export function nameOf({ head, contents }: Pick<Loaded, "head" | "contents">): string {
  const { lineage, seq, lines, digest } = head;
  return JSON.stringify([lineage, seq, lines, digest, digestOfContents(contents)]);
}

/** The name of the state that is loaded with the key. */
export async function loadedName(sound: Victim, values: Values): Promise<string> {
  const store = await sound.store(values);
  const app = await closedApp(sound.on(store), sound.opener);
  return nameOf(await load(locationOf(sessionSettings(app, store))));
}

function statesIn(snapshots: readonly Values[], stage: string): ReadonlySet<string> {
  const entries = new Map<string, string>();
  for (const values of snapshots) for (const [key, text] of values) entries.set(key, text);
  const segments: Segment[] = [];
  for (let seq = 1; ; seq++) {
    const text = entries.get(keys.entry(seq).replace("/dev/", `/${stage}/`));
    const segment = text === undefined ? undefined : readSegment(seq, text);
    if (!segment) break;
    segments.push(segment);
  }
  let head: Head = emptyHead("app", stage);
  const contents = new Contents();
  const states = new Set([nameOf({ head, contents })]);
  for (const { lines } of countLines(segments).counted) {
    for (const line of lines) {
      head = advance(head, line);
      for (const change of line.entry.ops ?? []) contents.apply(change);
      states.add(nameOf({ head, contents }));
    }
  }
  return states;
}
