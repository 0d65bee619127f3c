import { EngineError, typeName, uuid } from "../../core/base/index.js";
import { namedKeys } from "../kit/bounded.js";
import { type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { checkRole, connectGiven, connectOwn, loadDriver, type ServerAccount } from "./connect.js";
import { Link } from "./link.js";
import { isCluster, type RedisSettings, type RedisStore } from "./options.js";
import { createScript, deleteScript, RedisRequests, type Script, STAGE_IS_NEW, setScript } from "./requests.js";

/** Milliseconds after the last try in which the network may still deliver a copy of it. */
const ON_ITS_WAY = 120_000;

/** @param check throws if the server is not suitable for the purpose of the store */
export function openRedis(settings: RedisSettings, check: (account: ServerAccount) => void): RedisStore {
  const { target, location, requestTimeout, retryTimeout } = settings;
  const names = keyNames(settings.prefix);
  const spansServers = target.kind === "cluster" || (target.kind === "client" && isCluster(target.client));
  const link = new Link({
    isOwn: target.kind !== "client",
    prepare: async () => target.kind === "client" || loadDriver(),
    connect: (signal) =>
      target.kind === "client" ? connectGiven(target.client) : connectOwn(target, requestTimeout, signal),
    check(account) {
      // A replica of a cluster redirects every command to its primary.
      if (!spansServers) checkRole(account);
      check(account);
    },
    anyKey: names.stages,
  });
  const requests = new RedisRequests(link, { ...settings, spansServers });
  const reads = new RedisReads(requests, names, spansServers);
  const writes = new RedisWrites(requests, names, 2 * retryTimeout + ON_ITS_WAY);

  const store: PlainStore<RedisStore> = {
    name: "redis",
    location,
    local: false,
    ignoresLateWrites: true,
    get: (key) => reads.get(key),
    getMany: (keys) => reads.getMany(keys),
    set: (key, value) => writes.set({ key, value }),
    deleteMany: (keys) => writes.remove(keys),
    create: (key, value) => writes.create({ key, value }),
    list: (prefix) => reads.list(prefix),
    close: async () => link.close(),
  };
  return withKeyvMethods(store);
}

/** Reads values and indexes. */
class RedisReads {
  readonly #requests: RedisRequests;
  readonly #names: KeyNames;
  readonly #spansServers: boolean;

  /** @param spansServers true if a command can read only keys of one stage */
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
      const act = `read ${namedKeys(group)}`;
      const reply = listOf(await this.#requests.read(act, { key, args: ["MGET", ...names] }));
      for (const [index, one] of group.entries()) values.set(one, textOf(reply[index]));
    }
    return keys.map((key) => values.get(key));
  }

  /** Yields the keys with a prefix. The keys of one index are consistent. */
  async *list(prefix: string): AsyncGenerator<string, void> {
    const stage = stageOf(prefix);
    // `yield*` would make twice as many promises.
    for (const key of await this.#range(this.#names.index(stage), prefix)) yield key;
    if (stage !== "") return;
    for (const found of await this.#range(this.#names.stages, prefix)) {
      for (const key of await this.#range(this.#names.index(found), prefix)) yield key;
    }
  }

  /** Returns the members of a sorted set that begin with `prefix`. */
  async #range(set: string, prefix: string): Promise<string[]> {
    // No text contains the byte 0xff, so all members with the prefix sort before this end.
    const end = Buffer.concat([Buffer.from(`(${prefix}`), Buffer.of(0xff)]);
    const bounds = prefix === "" ? ["-", "+"] : [`[${prefix}`, end];
    const act = prefix === "" ? "list all keys" : `list ${prefix}`;
    const reply = await this.#requests.read(act, { key: set, args: ["ZRANGEBYLEX", set, ...bounds] });
    return listOf(reply).map(String);
  }
}

/** Returns the value of a reply, undefined for absence. Any other reply is an error. */
function textOf(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  if (reply === null) return undefined;
  throw misunderstood("a string", reply);
}

function listOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw misunderstood("a list", reply);
}

function misunderstood(expected: string, reply: unknown): EngineError {
  return new EngineError("STORE_FAILED", `Redis answered with ${typeName(reply)} instead of ${expected}.`);
}

interface Entry {
  readonly key: string;
  readonly value: string;
}

/** A call of a script. */
interface Change {
  /** Name of the action, for messages. */
  readonly act: string;
  readonly script: Script;
  readonly stage: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Maximum of keys for one script, because the server does nothing else while it runs. */
const BATCH = 1_000;

/** Changes values together with the index of their stage. */
class RedisWrites {
  readonly #requests: RedisRequests;
  readonly #names: KeyNames;
  readonly #remember: string;

  /** @param remember milliseconds after which no copy of a call can arrive any more */
  constructor(requests: RedisRequests, names: KeyNames, remember: number) {
    this.#requests = requests;
    this.#names = names;
    this.#remember = String(remember);
  }

  /** Creates a key. False if it exists. */
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

  /** Deletes keys. True if one of them existed. */
  async remove(keys: readonly string[]): Promise<boolean> {
    let removed = 0;
    for (const [stage, batch] of batches(keys)) {
      const change = { act: `delete ${namedKeys(batch)}`, script: deleteScript, stage, keys: batch, args: batch };
      removed += Number(await this.#change(change));
    }
    return removed > 0;
  }

  /** Registers a stage before its first key, because a list over several stages finds only registered ones. */
  async #change({ act, script, stage, keys, args }: Change): Promise<unknown> {
    const names = this.#names;
    const all = [names.call(stage, uuid()), names.index(stage), ...keys.map(names.value)];
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

/**
 * Keys in Redis. All keys of a stage, which is the first two segments of a key, share a hash tag. So a cluster keeps
 * them in one slot, where a script can change a value and the stage's index together:
 *
 * - `scope-engine:{app/dev}/journal/000000000001` holds the value of `app/dev/journal/000000000001`;
 * - `scope-engine:{app/dev}:index` holds the keys of the stage, `scope-engine:{app/dev}:call:…` the answer to a call;
 * - keys without a stage have the tag `-`, which no stage has, and `scope-engine:{-}:stages` holds all stages.
 *
 * A prefix contains no brace, so its end is unambiguous. After the tag, a value has a slash, and every other key a
 * colon.
 */
const NO_STAGE = "-";

interface KeyNames {
  /** Key of a value. */
  value(key: string): string;
  index(stage: string): string;
  /** Key of the answer to a call. */
  call(stage: string, nonce: string): string;
  readonly stages: string;
}

export function keyNames(prefix: string): KeyNames {
  const tagged = (stage: string) => `${prefix}{${tagOf(stage)}}`;
  return {
    value(key) {
      const stage = stageOf(key);
      return tagged(stage) + (stage === "" ? `/${key}` : key.slice(stage.length));
    },
    index: (stage) => `${tagged(stage)}:index`,
    call: (stage, nonce) => `${tagged(stage)}:call:${nonce}`,
    stages: `${tagged("")}:stages`,
  };
}

/** Returns the first two segments if another one follows, else "". For a prefix: the only stage with such keys. */
export function stageOf(key: string): string {
  const end = key.indexOf("/", key.indexOf("/") + 1);
  return end < 0 ? "" : key.slice(0, end);
}

/** Groups keys by stage, in their order. */
function byStage(keys: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const stage = stageOf(key);
    const group = groups.get(stage);
    if (group) group.push(key);
    else groups.set(stage, [key]);
  }
  return groups;
}

/** Escapes closing braces, which would end the tag early. The engine's own keys contain none. */
function tagOf(stage: string): string {
  if (stage === "") return NO_STAGE;
  // Each request names several keys.
  if (!stage.includes("=") && !stage.includes("}")) return stage;
  return stage.replace(/[=}]/g, (sign) => (sign === "=" ? "=3D" : "=7D"));
}
