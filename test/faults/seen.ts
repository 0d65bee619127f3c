/** An observation of the world, its log, and the state. */
import { EngineError } from "../../core/base/index.js";
import { type Encoded, isPluginOwner, type ResourceRecord, retainedOwner } from "../../core/contract/index.js";
import type { Contents } from "../../core/state/index.js";
import { loadFrom } from "../helpers/stores/journals.js";
import { type Call, FileWorld, type Thing, type Warning } from "./file-world.js";
import type { Places } from "./places/places.js";

export interface Seen {
  /** The run that has just finished, if the check is about one. */
  readonly run: string;
  readonly things: readonly Thing[];
  readonly calls: readonly Call[];
  readonly warnings: readonly Warning[];
  readonly records: readonly ResourceRecord[];
  /** `owner key` and the value; the owner is a resource's or a scope's path. */
  readonly data: Readonly<Record<string, Encoded>>;
  readonly isOpen: boolean;
  /** The reason why the state could not be loaded. */
  readonly damage: string | undefined;
}

export async function look(places: Places, folder: string, world = new FileWorld(folder)): Promise<Seen> {
  const { run, things, calls, warnings } = world;
  const store = places.open(folder);
  try {
    const { head, contents } = await loadFrom(store);
    const records = [...contents.records.values()];
    const isOpen = head.open !== undefined;
    return { run, things, calls, warnings, records, data: dataOf(contents), isOpen, damage: undefined };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { run, things, calls, warnings, records: [], data: {}, isOpen: false, damage: error.message };
  } finally {
    await store.close?.();
  }
}

/**
 * No two ciphertexts are equal. Keys of plugins and names of retained resources do not belong to the content of a
 * program.
 */
function dataOf({ data, records }: Contents): Record<string, Encoded> {
  const all = [...data]
    .filter(([owner]) => !isPluginOwner(owner) && owner !== retainedOwner)
    .flatMap(([owner, values]) =>
      [...values].map(([key, value]) => [`${records.get(owner)?.key ?? owner} ${key}`, plain(value)] as const),
    );
  return Object.fromEntries(all);
}

function plain(value: Encoded): Encoded {
  return JSON.parse(JSON.stringify(value).replace(/"\$secret":\[[^\]]*\]/g, '"$secret":""'));
}
