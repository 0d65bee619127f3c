/** What is recorded of a stage at one moment: read once, and looked at as often as is wanted. */
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
 * What is recorded of a stage at one moment. It does not change, whatever is recorded since, and needs the store no more, but for who has
 * the stage. Secrets are named only.
 */
export interface StageView {
  readonly app: string;
  readonly stage: string;
  /** The entry of the journal that it is as of. */
  readonly seq: number;
  /** The run or command that ended with it, or last before it; undefined where that is not recorded. */
  readonly run: EndedRun | undefined;
  /** Who has written it. */
  readonly seal: SealStatus;
  /** By name: all, or what globs match. @throws EngineError `NOT_RECORDED` */
  list(globs?: readonly string[]): readonly ListedResource[];
  /** As {@link StageAdmin.show}. @param limits of each value; default: all of it. @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` */
  show(name: string, limits?: ValueLimits): Promise<Detail>;
  /** More of a value that was shown in part. @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` */
  part(name: string, options: PartOptions): ValuePart;
  /** As {@link StageAdmin.graph}. */
  graph(): Graph;
  /** Where a text stands in names, the one that is meant first, in kinds and in values. Capital letters do not count. */
  find(text: string, options?: FindOptions): Promise<readonly FoundText[]>;
  /** Who had the stage then, and how often it has shown that it lives by now: one request. Undefined of a kept copy. */
  holder(): Promise<Holder | undefined>;
}

/** What a view is of. */
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

/** A text that is another one as soon as anything else is recorded. One request; two of a store whose entries grow. */
export async function markOf({ store, keys }: Pick<LedgerLocation, "store" | "keys">): Promise<string> {
  const { checkpoints, entries } = await listKeys({ store, keys });
  const seq = Math.max(checkpoints.at(-1) ?? 0, entries.at(-1) ?? 0);
  const text = isGrowing(store) && seq > 0 ? await store.get(keys.entry(seq)) : undefined;
  return `${seq}:${text?.length ?? 0}`;
}
