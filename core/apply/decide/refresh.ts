/** Reads all recorded resources before any comparison, as wide as handlers may run. */

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

/** Result of reading one resource. */
export interface Seen {
  readonly record: ResourceRecord;
  readonly ref: ResourceRef;
  readonly scope: Scope;
  /** The output of `read`; undefined if the resource does not exist. Absent if it cannot be read. */
  readonly output?: Promise<unknown>;
  /** The reason that it cannot be read. */
  readonly why?: string;
}

/**
 * Begins to read every resource with an output; one that was never created has nothing to compare with.
 *
 * @param find returns the type of a kind. Default: those that the program has defined
 */
export function lookAtAll(app: App, find = definitionOf): readonly Seen[] {
  const { selection } = app.run.bounds;
  // A resource that is selected only as a dependent is read later, when that is known.
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

/** Results of early reads that no declaration has taken yet. */
export class LooksAhead implements Refreshed {
  readonly #looks: Map<string, Look>;

  private constructor(looks: Iterable<readonly [string, Look]>) {
    this.#looks = new Map(looks);
  }

  /**
   * Types with `verify` read on every up themselves, with the declared props. A failed read is repeated with the
   * declaration: the program may have what it needs, such as credentials that are not recorded.
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
   * Returns the output that was read early, once, because the next handler changes it. Undefined if the scope turned
   * out to have other options, such as `local` or `profile`: the read was made with the wrong ones.
   */
  take(uid: string, scope: Scope): Promise<unknown> | undefined {
    const look = this.#looks.get(uid);
    this.#looks.delete(uid);
    return look && isDeepStrictEqual(look.options, scope[INTERNALS].options) ? look.output : undefined;
  }
}
