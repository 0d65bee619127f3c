/**
 * Keys as Redis has them. What belongs to one stage, the first two segments of a key, shares a hash tag, so that a
 * cluster keeps it in one slot, where a script may change a value and the stage's index at once:
 *
 * - `scope-engine:{app/dev}/journal/000000000001` holds the value of `app/dev/journal/000000000001`;
 * - `scope-engine:{app/dev}:index` holds the keys of the stage, `scope-engine:{app/dev}:call:…` the answer to a call;
 * - keys without a stage have the tag `-`, which no stage has, and `scope-engine:{-}:stages` holds all stages.
 *
 * A prefix has no brace, so where it ends is plain, and behind the tag a value has a slash and all else a colon.
 */
const NO_STAGE = "-";

export interface KeyNames {
  /** Where the value is. */
  value(key: string): string;
  index(stage: string): string;
  /** Where the answer to a call is remembered. */
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

/** The first two segments, if another one follows; else empty. Of a prefix: the one stage that has all such keys. */
export function stageOf(key: string): string {
  const end = key.indexOf("/", key.indexOf("/") + 1);
  return end < 0 ? "" : key.slice(0, end);
}

/** Keys by their stage, in their order. */
export function byStage(keys: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const stage = stageOf(key);
    const group = groups.get(stage);
    if (group) group.push(key);
    else groups.set(stage, [key]);
  }
  return groups;
}

/** A closing brace would end the tag before its time; the engine's own keys have none. */
function tagOf(stage: string): string {
  if (stage === "") return NO_STAGE;
  return stage.replace(/[=}]/g, (sign) => (sign === "=" ? "=3D" : "=7D"));
}
