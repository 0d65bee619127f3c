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
  /** Rejects with what `read` failed at; undefined where nothing is. Absent where nobody can look. */
  readonly output?: Promise<unknown>;
  /** Why nobody can look. */
  readonly why?: string;
}

/** Begins to look at everything that is settled; what was never finished has nothing to compare with. */
export function lookAtAll(app: App): readonly Seen[] {
  const { selection } = app.generation.bounds;
  // What else is selected, for it refers to something that is, is looked at when that is known.
  const records = [...app.ledger.contents.records.values()].filter(({ key }) => selection?.isNamed(key) ?? true);
  const settled = records.filter(({ replaced, output }) => !replaced && output !== undefined);
  const all = settled.map((record) => seen(app, record));
  const looks = all.filter((one) => one.output !== undefined);
  for (const { ref, output } of looks) {
    const emitLooked = (): void => app.events.emit("resource:looked", { ...ref, total: looks.length });
    output?.then(emitLooked, emitLooked);
  }
  return all;
}

function seen(app: App, record: ResourceRecord): Seen {
  const scope = scopeAt(app, folderOf(record.key));
  const ref = refIn(scope, record.kind, idOf(record.key));
  const definition = definitionOf(record.kind);
  if (!definition) return { record, ref, scope, why: `its kind "${record.kind}" is not defined in this program` };
  if (!handlersFor(definition, record).read)
    return { record, ref, scope, why: `its kind "${record.kind}" has no read` };
  const output = read(app, definition, { record, ref, scope });
  // Looked at later, or never.
  output.catch(() => {});
  return { record, ref, scope, output };
}

async function read(app: App, definition: Definition, { record, ref, scope }: Seen): Promise<unknown> {
  const props = await decodeProps({ app, scope, ref }, record.uid, goodProps(record));
  return readResource({
    app,
    scope,
    definition,
    ref,
    props,
    options: {},
    record,
    recovering: false,
    isDeclared: false,
  });
}

interface Look {
  readonly output: Promise<unknown>;
  /** Of the scope that it is in, as far as they are known before the program runs. */
  readonly options: object;
}

/** Looks that declarations have not asked for yet. */
export class LooksAhead implements Refreshed {
  readonly #looks: Map<string, Look>;

  private constructor(looks: Iterable<readonly [string, Look]>) {
    this.#looks = new Map(looks);
  }

  /** Types that are looked at on every up do so by themselves, with the props that are declared. */
  static async of(app: App): Promise<LooksAhead> {
    const all = lookAtAll(app).flatMap(({ record, scope, output }): (readonly [string, Look])[] => {
      const { options } = scope[INTERNALS];
      return output && !definitionOf(record.kind)?.verify ? [[record.uid, { output, options }]] : [];
    });
    await Promise.allSettled(all.map(([, { output }]) => output));
    return new LooksAhead(all);
  }

  /**
   * What was seen of a resource; once, for what is done after it changes that. Nothing where its scope has turned out to
   * have other options, such as `local` or `profile`: then somewhere else was looked.
   */
  take(uid: string, scope: Scope): Promise<unknown> | undefined {
    const look = this.#looks.get(uid);
    this.#looks.delete(uid);
    return look && isDeepStrictEqual(look.options, scope[INTERNALS].options) ? look.output : undefined;
  }
}
