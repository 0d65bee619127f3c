import { EngineError } from "../../core/base/index.js";
import { byStage, type KeyNames, stageOf } from "./keys.js";
import type { RedisRequests } from "./requests.js";

/** What reads values and indexes. */
export class RedisReads {
  readonly #requests: RedisRequests;
  readonly #names: KeyNames;
  readonly #spansServers: boolean;

  /** @param spansServers true: one command reads keys of one stage only */
  constructor(requests: RedisRequests, names: KeyNames, spansServers: boolean) {
    this.#requests = requests;
    this.#names = names;
    this.#spansServers = spansServers;
  }

  async get(key: string): Promise<string | undefined> {
    const name = this.#names.value(key);
    const reply = await this.#requests.read(`read ${key}`, { key: name, args: ["GET", name] });
    return textOf(reply);
  }

  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const groups = this.#spansServers ? [...byStage(keys).values()] : [keys];
    const values = new Map<string, string | undefined>();
    for (const group of groups) {
      const names = group.map(this.#names.value);
      const [key] = names;
      if (key === undefined) continue;
      const act = `read ${group.length} keys such as ${group[0]}`;
      const reply = listOf(await this.#requests.read(act, { key, args: ["MGET", ...names] }));
      for (const [index, one] of group.entries()) values.set(one, textOf(reply[index]));
    }
    return keys.map((key) => values.get(key));
  }

  /** One index is shown as of one moment. */
  async *list(prefix: string): AsyncGenerator<string, void> {
    const stage = stageOf(prefix);
    yield* await this.#range(this.#names.index(stage), prefix);
    if (stage !== "") return;
    for (const found of await this.#range(this.#names.stages, prefix)) {
      yield* await this.#range(this.#names.index(found), prefix);
    }
  }

  /** The members of a sorted set that begin with `prefix`. */
  async #range(set: string, prefix: string): Promise<string[]> {
    // No text has the byte 0xff, so all that begins with the prefix sorts before it.
    const end = Buffer.concat([Buffer.from(`(${prefix}`), Buffer.of(0xff)]);
    const bounds = prefix === "" ? ["-", "+"] : [`[${prefix}`, end];
    const act = prefix === "" ? "list all keys" : `list ${prefix}`;
    const reply = await this.#requests.read(act, { key: set, args: ["ZRANGEBYLEX", set, ...bounds] });
    return listOf(reply).map(String);
  }
}

/** Whatever is neither a value nor its absence proves nothing. */
function textOf(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  if (reply === null) return undefined;
  throw misunderstood("a value", reply);
}

function listOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw misunderstood("a list", reply);
}

function misunderstood(expected: string, reply: unknown): EngineError {
  return new EngineError("STORE_FAILED", `Redis answered with a ${typeof reply} instead of ${expected}.`);
}
