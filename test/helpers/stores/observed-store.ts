/** A store that reports its requests. */
import { isGrowing, type StateStore } from "../../../core/contract/index.js";

export class Requests {
  readonly #list: { readonly method: string; readonly keys: readonly string[] }[] = [];
  #tail = 0;
  #bytes = 0;

  note(method: string, ...keys: readonly string[]): void {
    this.#list.push({ method, keys });
  }

  found(key: string, value: string | undefined): void {
    if (value !== undefined && key.includes("/journal/")) this.#tail++;
  }

  clear(): void {
    this.#list.length = 0;
    this.#tail = 0;
    this.#bytes = 0;
  }

  /** Counts values that a request writes. */
  put(...values: readonly string[]): void {
    for (const value of values) this.#bytes += Buffer.byteLength(value);
  }

  get count(): number {
    return this.#list.length;
  }

  /** Number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  get all(): readonly string[] {
    return this.#list.map(({ method, keys }) => `${method} ${keys.join(" ")}`);
  }

  /** All requests except those for existing journal entries: the tail after the last checkpoint. */
  get besideTail(): number {
    return this.#list.length - this.#tail;
  }

  /** Requests that change the store. */
  get writes(): number {
    return this.#list.filter(({ method }) => !["get", "getMany", "list"].includes(method)).length;
  }

  /** Writes to the journal. */
  get appends(): number {
    const isAppend = (method: string) => method === "create" || method === "append";
    return this.#list.filter(({ method, keys }) => isAppend(method) && keys[0]?.includes("/journal/")).length;
  }
}

export function observed(inner: StateStore): { readonly store: StateStore; readonly requests: Requests } {
  const requests = new Requests();
  const noted = async <T>(method: string, keys: readonly string[], answer: Promise<T>): Promise<T> => {
    requests.note(method, ...keys);
    return answer;
  };
  const store: StateStore = {
    ...inner,
    async get(key) {
      const value = await noted("get", [key], inner.get(key));
      requests.found(key, value);
      return value;
    },
    async getMany(keys) {
      const values = await noted("getMany", keys, inner.getMany(keys));
      for (const [index, key] of keys.entries()) requests.found(key, values[index]);
      return values;
    },
    set: (key, value) => {
      requests.put(value);
      return noted("set", [key], inner.set(key, value));
    },
    deleteMany: (keys) => noted("deleteMany", keys, inner.deleteMany(keys)),
    create: (key, value, options) => {
      requests.put(value);
      return noted("create", [key], inner.create(key, value, options));
    },
    list: (prefix) => {
      requests.note("list", prefix);
      return inner.list(prefix);
    },
  };
  if (!isGrowing(inner)) return { store, requests };
  const append: typeof inner.append = (key, chunk, ...rest) => {
    requests.put(chunk);
    return noted("append", [key], Promise.resolve(inner.append(key, chunk, ...rest)));
  };
  return { store: Object.assign(store, { append }), requests };
}
