/**
 * One program on state in files, run once for each call of the file system that it makes, or for some of them, which
 * then fails.
 * Prints the result of each as a line of JSON. `storage-program FOLDER SCENARIO CODE [once|lasting [EVERY]]`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { messageOf } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { loadFrom } from "../helpers/stores/journals.js";
import { SCENARIOS, type StorageResult, SWALLOWING } from "./storage-scenarios.js";

interface Controls {
  folder: string | undefined;
  failAt: number;
  code: string;
  lasting: boolean;
  calls: string[];
  failed: string | undefined;
}

const [folder = "", name = "", code = "", faults, every = "1"] = process.argv.slice(2);
const scenario = name === "swallowing" ? SWALLOWING : SCENARIOS[name];
const controls: Controls = Reflect.get(globalThis, Symbol.for("storage-injector"));
if (!scenario) throw new Error(`There is no scenario ${name}.`);

/** The real resources, and calls that were useless or repeated. */
let world = new Map<string, number>();
let wrong: string[] = [];
let calls = 0;

const Thing = Resource<{ id: string; value: number }, { value: number }>("storage:Thing", {
  async read({ id }) {
    const value = world.get(id);
    return value === undefined ? undefined : { id, value };
  },
  async create({ id, props, recovering }) {
    calls++;
    if (world.has(id) && !recovering) wrong.push(`${id} was created twice`);
    world.set(id, props.value);
    return { id, value: props.value };
  },
  async update({ id, props }) {
    calls++;
    if (!world.has(id)) wrong.push(`${id} was updated and is not there`);
    world.set(id, props.value);
    return { id, value: props.value };
  },
  async delete({ id, recovering }) {
    calls++;
    if (!world.delete(id) && !recovering) wrong.push(`${id} was deleted twice`);
  },
});

const engine = createEngine({ checkpoints: 1, histories: 1 });

function openStore(rootDir: string): StateStore {
  const store = fsStoreAt(join(rootDir, ".engine"), scenario?.options);
  if (!scenario?.swallows) return store;
  const append: typeof store.append = async (...args) => {
    await Promise.resolve(store.append?.(...args)).catch(() => {});
    return true;
  };
  return { ...store, append } as StateStore;
}

/** One run; returns the failures that it reported. */
async function run(rootDir: string, things: Readonly<Record<string, number>>): Promise<string[]> {
  const told: string[] = [];
  const teller = definePlugin({
    name: "teller",
    apply: ({ events }) =>
      events.on("warning", ({ code, message }) => {
        // Unrecorded results of the run before are not a failure of this one.
        if (code !== "RECOVERED") told.push(message);
      }),
  });
  const store = openStore(rootDir);
  try {
    const app = await engine("app", {
      stage: "dev",
      rootDir,
      stateStore: () => store,
      argv: [],
      env: {},
      plugins: [teller],
    });
    try {
      for (const [id, value] of Object.entries(things)) await Thing(id, { value });
    } finally {
      await app.finalize();
    }
  } catch (error) {
    told.push(messageOf(error));
  }
  return told;
}

async function recorded(rootDir: string): Promise<Map<string, string> | string> {
  try {
    const { contents } = await loadFrom(fsStoreAt(join(rootDir, ".engine")), { keep: 1 });
    const records = [...contents.records.values()];
    return new Map(records.map(({ key, status, output }) => [key, `${status} ${JSON.stringify(output)}`]));
  } catch (error) {
    return messageOf(error);
  }
}

/** Every real resource is recorded as it is, or pending, or in the recovery file; and the other way round. */
async function compare(rootDir: string): Promise<void> {
  const found = await recorded(rootDir);
  if (typeof found === "string") return void wrong.push(found);
  const kept = readdirSync(rootDir).filter((file) => file.startsWith("engine-recovery."));
  const recovered = kept.map((file) => readFileSync(join(rootDir, file), "utf8")).join();
  for (const id of new Set([...world.keys(), ...found.keys()])) {
    const record = found.get(id);
    const value = world.get(id);
    const isThere = record === `ready {"id":"${id}","value":${value}}`;
    const isUnderWay = record !== undefined && !record.startsWith("ready");
    if (!isThere && !isUnderWay && !recovered.includes(`"${id}"`))
      wrong.push(`${id} is ${value} and recorded as ${record}`);
  }
}

async function once(failAt: number): Promise<StorageResult> {
  const rootDir = join(folder, `${failAt}`);
  mkdirSync(rootDir);
  world = new Map();
  wrong = [];
  for (const things of scenario?.before ?? []) await run(rootDir, things);
  Object.assign(controls, {
    folder: join(rootDir, ".engine"),
    failAt,
    code,
    lasting: faults === "lasting",
    calls: [],
  });
  controls.failed = undefined;
  const told = await run(rootDir, scenario?.things ?? {});
  const { failed } = controls;
  controls.folder = undefined;
  await compare(rootDir);
  const after = await run(rootDir, scenario?.things ?? {});
  wrong.push(...after.map((message) => `the run after it: ${message}`));
  calls = 0;
  wrong.push(...(await run(rootDir, scenario?.things ?? {})));
  if (calls > 0) wrong.push(`the second run after it still made ${calls} calls`);
  const there = JSON.stringify(Object.fromEntries([...world].sort()));
  if (there !== JSON.stringify(scenario?.things)) wrong.push(`there is ${there}`);
  rmSync(rootDir, { recursive: true });
  return { failAt, failed, told: told.map((text) => text.replaceAll(rootDir, "…")), wrong };
}

// The number of calls depends on their speed: the last one is known from the run in which none failed.
for (let failAt = 1; ; failAt += Number(every)) {
  const result = await once(failAt);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.failed === undefined) break;
}
