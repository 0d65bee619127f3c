/** Stores that treat keys or prefixes as patterns. */
import { collect } from "../../../plugins/testing/store/case.js";
import type { Breach } from "./store-breaches.js";

async function* matching(keys: AsyncIterable<string>, pattern: RegExp): AsyncGenerator<string> {
  for await (const key of keys) if (pattern.test(key)) yield key;
}

/**
 * The regular expression of a `LIKE` without escapes. With many wildcards it would take forever, so long texts have
 * none.
 */
function like(text: string, end = ""): RegExp {
  if (text.length > 40) return new RegExp(`^${text}${end}`);
  return new RegExp(
    `^${text
      .replace(/[.*+?^${}()|[\\]\\]/g, "\\$&")
      .replace(/%/g, ".*")
      .replace(/_/g, ".")}${end}`,
    "s",
  );
}

/** The regular expression of a glob. */
function glob(text: string): RegExp {
  const parts = text.replace(/[.+^${}()|]/g, "\\$&").replace(/\\(?![.+^${}()|])/g, "\\\\");
  const wild = parts.replace(/\*/g, ".*").replace(/\?/g, ".").replace(/\[!/g, "[^");
  try {
    return new RegExp(`^${wild}`, "s");
  } catch {
    return /^$/;
  }
}

export const patternBreaches: Readonly<Record<string, Breach>> = {
  "takes a prefix for a pattern of SQL": {
    caught: "keys of the engine: keeps apart characters that are patterns in SQL",
    breach: ({ list }) => ({ list: (prefix) => matching(list(""), like(prefix)) }),
  },
  "takes a prefix for a glob": {
    caught: "every other key: keeps apart characters that are patterns elsewhere",
    breach: ({ list }) => ({ list: (prefix) => matching(list(""), glob(prefix)) }),
  },
  "looks keys up by a pattern of SQL": {
    caught: "keys of the engine: keeps apart characters that are patterns in SQL",
    breach: ({ get, list }) => ({
      get: async (key) => {
        if (!/[_%]/.test(key)) return get(key);
        const last = (await collect(matching(list(""), like(key, "$")))).sort().at(-1);
        return last === undefined ? undefined : get(last);
      },
    }),
  },
  "deletes by a pattern of SQL": {
    caught: "many at once: takes the keys to delete literally",
    breach: ({ deleteMany, list }) => ({
      deleteMany: async (keys) => {
        const patterns = keys.filter((key) => /[_%]/.test(key));
        const found = await Promise.all(patterns.map((key) => collect(matching(list(""), like(key, "$")))));
        return deleteMany([...new Set([...keys, ...found.flat()])]);
      },
    }),
  },
};
