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
export interface ReadResult {
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
export function readAll(app: App, find = definitionOf): readonly ReadResult[] {
  const { selection } = app.run.bounds;
  // A resource that is selected only as a dependent is read later, when that is known.
  const records = [...app.ledger.contents.records.values()].filter(({ key }) => selection?.isNamed(key) ?? true);
  const settled = records.filter(({ replaced, output }) => !replaced && output !== undefined);
  const all = settled.map((record) => startRead(app, record, find(record.kind)));
  const reads = all.filter((one) => one.output !== undefined);
  for (const { ref, output } of reads) {
    const emitLooked = (): void => app.events.emit("resource:looked", { ...ref, total: reads.length });
    output?.then(emitLooked, emitLooked);
  }
  return all;
}

function startRead(app: App, record: ResourceRecord, definition: Definition | undefined): ReadResult {
  const scope = scopeAt(app, folderOf(record.key));
  const ref = refIn(scope, record.kind, idOf(record.key));
  if (!definition) return { record, ref, scope, why: `its kind "${record.kind}" is not defined in this program` };
  if (!handlersFor(definition, record).read)
    return { record, ref, scope, why: `its kind "${record.kind}" has no read handler` };
  const output = readRecord(app, definition, { record, ref, scope });
  // Awaited later, or never: its rejection must not end the process.
  output.catch(() => {});
  return { record, ref, scope, output };
}

async function readRecord(app: App, definition: Definition, { record, ref, scope }: ReadResult): Promise<unknown> {
  const props = await decodeProps({ app, scope, ref }, record.uid, goodProps(record));
  return readResource({ app, scope, definition, ref, options: {} }, { props, record, isDeclared: false });
}

interface EarlyRead {
  readonly output: Promise<unknown>;
  /** Options of its scope, as far as they are known before the program runs. */
  readonly options: object;
}

/** Results of early reads that no declaration has taken yet. */
export class EarlyReads implements Refreshed {
  readonly #reads: Map<string, EarlyRead>;

  private constructor(reads: Iterable<readonly [string, EarlyRead]>) {
    this.#reads = new Map(reads);
  }

  /**
   * Types with `verify` read on every up themselves, with the declared props. A failed read is repeated with the
   * declaration: the program may have what it needs, such as credentials that are not recorded.
   */
  static async of(app: App): Promise<EarlyReads> {
    const all = readAll(app).flatMap(({ record, scope, output }): (readonly [string, EarlyRead])[] => {
      const { options } = scope[INTERNALS];
      return output && !definitionOf(record.kind)?.verify ? [[record.uid, { output, options }]] : [];
    });
    const results = await Promise.allSettled(all.map(([, { output }]) => output));
    return new EarlyReads(all.filter((_, index) => results[index]?.status === "fulfilled"));
  }

  /**
   * Returns the output that was read early, once, because the next handler changes it. Undefined if the scope turned
   * out to have other options, such as `local` or `profile`: the read was made with the wrong ones.
   */
  take(uid: string, scope: Scope): Promise<unknown> | undefined {
    const early = this.#reads.get(uid);
    this.#reads.delete(uid);
    return early && isDeepStrictEqual(early.options, scope[INTERNALS].options) ? early.output : undefined;
  }
}
