/** A snapshot of a stage's state: read once, queried any number of times. */
import type { Redact } from "../../../../core/base/index.js";
import { isGrowing } from "../../../../core/contract/index.js";
import { type ClosedSession, type Contents, type LedgerLocation, listKeys } from "../../../../core/state/index.js";
import { type Detail, detailOf, masked } from "../detail.js";
import { type Graph, graphOf } from "../graph.js";
import { type EndedRun, endedRun } from "../history.js";
import { type ListedResource, listed } from "../listed.js";
import type { Holder } from "../unlock.js";
import type { SealStatus } from "../verify/prove-copy.js";
import { type FindOptions, type FoundText, findIn } from "./find.js";
import { cutOf, type PartOptions, partOf, type ValueLimits, type ValuePart } from "./part.js";

/**
 * A snapshot of a stage's state. It does not change with later records, and needs the store only for
 * {@link StageView.holder}. Secrets are shown by name only.
 */
export interface StageView {
  readonly app: string;
  readonly stage: string;
  /** Number of the last journal entry in it. */
  readonly seq: number;
  /** The run or command that ended with that entry, or last before it; undefined if that is not recorded. */
  readonly run: EndedRun | undefined;
  /** Shows whether its author is proven. */
  readonly seal: SealStatus;
  /** Lists all resources, or those that match globs, by name. @throws EngineError `NOT_RECORDED` */
  list(globs?: readonly string[]): readonly ListedResource[];
  /**
   * Like {@link StageAdmin.show}.
   *
   * @param limits for each value. Default: the whole value
   * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT`
   */
  show(name: string, limits?: ValueLimits): Promise<Detail>;
  /** Returns more of a value that was shown in part. @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` */
  part(name: string, options: PartOptions): ValuePart;
  /** Like {@link StageAdmin.graph}. */
  graph(): Graph;
  /** Searches names (best match first), kinds and values for all words of a text, in any order. Ignores case. */
  find(text: string, options?: FindOptions): Promise<readonly FoundText[]>;
  /**
   * Returns the holder at that moment, with its present number of signs of life: one request. Undefined for a kept
   * copy.
   */
  holder(): Promise<Holder | undefined>;
}

/** The contents of a view. */
export interface Viewed {
  readonly app: string;
  readonly stage: string;
  readonly seq: number;
  readonly contents: Contents;
  readonly closed: ClosedSession | undefined;
  readonly seal: SealStatus;
  readonly redact: Redact;
  holder(): Promise<Holder | undefined>;
}

export function viewOf({ app, stage, seq, contents, closed, seal, redact, holder }: Viewed): StageView {
  const naming = { app, stage, contents };
  let all: readonly ListedResource[] | undefined;
  let graph: Graph | undefined;
  return {
    app,
    stage,
    seq,
    run: closed && endedRun(closed),
    seal,
    list(globs = []) {
      if (globs.length > 0) return listed(naming, globs);
      all ??= listed(naming);
      return all;
    },
    show(name, limits) {
      const show = masked(redact);
      return detailOf(naming, name, limits ? (encoded, at) => show(cutOf(encoded, limits), at) : show);
    },
    part: (name, options) => partOf(naming, name, options, redact),
    graph() {
      graph ??= graphOf(app, stage, contents.records.values());
      return graph;
    },
    find: (text, options = {}) => findIn(naming, text, { ...options, redact }),
    holder,
  };
}

/** Returns a text that changes with every recorded change. Takes one request; two if the store's entries grow. */
export async function markOf({ store, keys }: Pick<LedgerLocation, "store" | "keys">): Promise<string> {
  const { checkpoints, entries } = await listKeys({ store, keys });
  const seq = Math.max(checkpoints.at(-1) ?? 0, entries.at(-1) ?? 0);
  const text = isGrowing(store) && seq > 0 ? await store.get(keys.entry(seq)) : undefined;
  return `${seq}:${text?.length ?? 0}`;
}
