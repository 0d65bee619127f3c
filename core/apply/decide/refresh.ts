/** Looks at what is really there of all that is recorded, as wide as handlers may run, before anything is compared. */

import { isDeepStrictEqual } from "node:util";
import type { ResourceRef } from "../../base/index.js";
import {
  type Definition,
  folderOf,
  INTERNALS,
  idOf,
  type ResourceRecord,
  refIn,
  type Scope,
} from "../../contract/index.js";
import { decodeProps, goodProps, handlersFor, readResource } from "../../handler/index.js";
import { definitionOf } from "../../resource/index.js";
import type { App, Refreshed } from "../../run/index.js";
import { scopeAt } from "../../scope/index.js";

/** What a look at one resource came to. */
export interface Seen {
  readonly record: ResourceRecord;
  readonly ref: ResourceRef;
  readonly scope: Scope;
  /** What `read` gives; undefined where nothing is there. Absent where the resource cannot be read. */
  readonly output?: Promise<unknown>;
  /** Why it cannot be read. */
  readonly why?: string;
}

/**
 * Begins to read everything that has an output: what was never created has nothing to compare with.
 *
 * @param find gives the type of a kind. Default: those that the program has defined
 */
export function lookAtAll(app: App, find = definitionOf): readonly Seen[] {
  const { selection } = app.run.bounds;
  // What is selected only because it refers to a target is read later, when that is known.
  const records = [...app.ledger.contents.records.values()].filter(({ key }) => selection?.isNamed(key) ?? true);
  const settled = records.filter(({ replaced, output }) => !replaced && output !== undefined);
  const all = settled.map((record) => seen(app, record, find(record.kind)));
  const looks = all.filter((one) => one.output !== undefined);
  for (const { ref, output } of looks) {
    const emitLooked = (): void => app.events.emit("resource:looked", { ...ref, total: looks.length });
    output?.then(emitLooked, emitLooked);
  }
  return all;
}

function seen(app: App, record: ResourceRecord, definition: Definition | undefined): Seen {
  const scope = scopeAt(app, folderOf(record.key));
  const ref = refIn(scope, record.kind, idOf(record.key));
  if (!definition) return { record, ref, scope, why: `its kind "${record.kind}" is not defined in this program` };
  if (!handlersFor(definition, record).read)
    return { record, ref, scope, why: `its kind "${record.kind}" has no read` };
  const output = read(app, definition, { record, ref, scope });
  // Awaited later, or never: its rejection must not end the process.
  output.catch(() => {});
  return { record, ref, scope, output };
}

async function read(app: App, definition: Definition, { record, ref, scope }: Seen): Promise<unknown> {
  const props = await decodeProps({ app, scope, ref }, record.uid, goodProps(record));
  return readResource({ app, scope, definition, ref, options: {} }, { props, record, isDeclared: false });
}

interface Look {
  readonly output: Promise<unknown>;
  /** Options of its scope, as far as they are known before the program runs. */
  readonly options: object;
}

/** Reads that were made ahead, and that no declaration has taken yet. */
export class LooksAhead implements Refreshed {
  readonly #looks: Map<string, Look>;

  private constructor(looks: Iterable<readonly [string, Look]>) {
    this.#looks = new Map(looks);
  }

  /**
   * Types that are looked at on every up do so by themselves, with the props that are declared. A look that failed is made again with
   * the declaration: the program may have what it needs, such as credentials that are not recorded.
   */
  static async of(app: App): Promise<LooksAhead> {
    const all = lookAtAll(app).flatMap(({ record, scope, output }): (readonly [string, Look])[] => {
      const { options } = scope[INTERNALS];
      return output && !definitionOf(record.kind)?.verify ? [[record.uid, { output, options }]] : [];
    });
    const results = await Promise.allSettled(all.map(([, { output }]) => output));
    return new LooksAhead(all.filter((_, index) => results[index]?.status === "fulfilled"));
  }

  /**
   * The output that was read ahead, once: the handler that runs next changes it. Undefined where the scope has turned out to have
   * other options, such as `local` or `profile`: the read was made with the wrong ones.
   */
  take(uid: string, scope: Scope): Promise<unknown> | undefined {
    const look = this.#looks.get(uid);
    this.#looks.delete(uid);
    return look && isDeepStrictEqual(look.options, scope[INTERNALS].options) ? look.output : undefined;
  }
}
