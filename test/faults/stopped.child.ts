/** A run that waits between its second intent of a kind and the handler: `stopped FOLDER PLACES PROGRAM STATUS`. */
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isGrowing, type StateStore } from "../../core/contract/index.js";
import { FileWorld } from "./file-world.js";
import type { Places } from "./places/places.js";
import { run } from "./run.js";

const [folder = "", name = "", program = "", status = ""] = process.argv.slice(2);
const { places } = (await import(new URL(`places/${name}.js`, import.meta.url).href)) as { readonly places: Places };
const intent = `"status":"${status}"`;
let intents = 0;

/**
 * Blocks the whole process once the intent is durable: it reports that, and continues when its parent has made a file.
 */
function waitAfter(text: string, isDurable: boolean): boolean {
  if (!isDurable || !text.includes(intent) || ++intents !== 2) return isDurable;
  writeSync(1, "waiting");
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(join(folder, "go on"))) Atomics.wait(cell, 0, 0, 5);
  return isDurable;
}

function waitingStore(store: StateStore): StateStore {
  const create: StateStore["create"] = async (key, text, options) =>
    waitAfter(text, await store.create(key, text, options));
  if (!isGrowing(store)) return { ...store, create };
  const append: typeof store.append = (key, line, fence, options) => {
    const answer = store.append(key, line, fence, options);
    // If the store answers synchronously, so does this one.
    return typeof answer === "boolean" ? waitAfter(line, answer) : answer.then((done) => waitAfter(line, done));
  };
  return { ...store, create, append } as StateStore;
}

const store = waitingStore(places.open(folder));
const [error] = await run({ folder, store, world: new FileWorld(folder), program, settings: "brief", isAlone: true });
await store.close?.();
if (error) throw error;
