import { randomUUID } from "node:crypto";
import { byStage, type KeyNames, stageOf } from "./keys.js";
import type { RedisRequests } from "./requests.js";
import { createScript, deleteScript, type Script, STAGE_IS_NEW, setScript } from "./scripts.js";

interface Entry {
  readonly key: string;
  readonly value: string;
}

/** One call of a script. */
interface Change {
  /** What is done, for messages. */
  readonly act: string;
  readonly script: Script;
  readonly stage: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** So many keys a script changes at most: the server does nothing else meanwhile. */
const BATCH = 1_000;

/** What changes values, and the index of their stage with them. */
export class RedisWrites {
  readonly #requests: RedisRequests;
  readonly #names: KeyNames;
  readonly #remember: string;

  /** @param remember milliseconds after which no copy of a call is on its way any more */
  constructor(requests: RedisRequests, names: KeyNames, remember: number) {
    this.#requests = requests;
    this.#names = names;
    this.#remember = String(remember);
  }

  /** False: the key exists. */
  async create({ key, value }: Entry): Promise<boolean> {
    const act = `create ${key}`;
    const args = [key, value];
    return (await this.#change({ act, script: createScript, stage: stageOf(key), keys: [key], args })) === "1";
  }

  async set({ key, value }: Entry): Promise<void> {
    await this.#change({
      act: `write ${key}`,
      script: setScript,
      stage: stageOf(key),
      keys: [key],
      args: [key, value],
    });
  }

  /** True when one of them was there. */
  async remove(keys: readonly string[]): Promise<boolean> {
    let removed = 0;
    for (const [stage, batch] of batches(keys)) {
      const change = { act: `delete ${nameOf(batch)}`, script: deleteScript, stage, keys: batch, args: batch };
      removed += Number(await this.#change(change));
    }
    return removed > 0;
  }

  /** Registers a stage before its first key, for a prefix that names no stage finds only those that are registered. */
  async #change({ act, script, stage, keys, args }: Change): Promise<unknown> {
    const names = this.#names;
    const all = [names.call(stage, randomUUID()), names.index(stage), ...keys.map(names.value)];
    const call = (isRegistered: boolean): Promise<unknown> =>
      this.#requests.run(act, script, all, [this.#remember, isRegistered ? "1" : "0", ...args]);
    const answer = await call(stage === "");
    if (answer !== STAGE_IS_NEW) return answer;
    await this.#requests.write(act, { key: names.stages, args: ["ZADD", names.stages, "0", stage] });
    return call(true);
  }
}

function* batches(keys: readonly string[]): Generator<[stage: string, batch: string[]]> {
  for (const [stage, group] of byStage(keys)) {
    for (let start = 0; start < group.length; start += BATCH) yield [stage, group.slice(start, start + BATCH)];
  }
}

function nameOf(keys: readonly string[]): string {
  return keys.length === 1 ? String(keys[0]) : `${keys.length} keys such as ${keys[0]}`;
}
