/** Loads the fleet that a program exports, with the options of the command line. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { EngineError, ownVersion } from "../../../core/base/index.js";
import { setHost } from "../../../core/plugin/index.js";
import { BRAND, type Branded, isFleet, loading, refuseWhileLoading } from "../../fleet/brand.js";
import { withDefaults } from "../../fleet/defaults.js";
import type { Fleet, FleetEngineOptions } from "../../fleet/index.js";
import { FleetRecord, type RecordOptions } from "../../fleet/record.js";
import { openerOf } from "../../internal/flags/opener.js";
import { entryOf, isFile } from "../entry.js";
import { type ProgramFlags, textOf } from "../flags.js";
import type { Given } from "../run-command.js";
import { type RanEntry, runEntry } from "../run-entry.js";
import type { Source } from "../watch/messages.js";
import { nextCommands } from "./next-commands.js";

export interface LoadedFleet {
  readonly fleet: Fleet & Branded;
  /** Digest of the program's files. */
  readonly version: string;
  /** Options of the command line. */
  readonly defaults: FleetEngineOptions;
  /** URL of the queue; undefined to run the stages in this process. */
  readonly queue: string | undefined;
  /** Milliseconds. */
  readonly lockTimeout: number | undefined;
}

export interface FleetCall {
  /** File of the program as it was named. */
  readonly file: string | undefined;
  readonly given: Given;
  readonly flags: ProgramFlags;
  /** Arguments after `--`, for the program. */
  readonly rest: readonly string[];
}

/** @throws EngineError `INVALID_PROGRAM` if the program exports no fleet; `INVALID_ARGUMENT` */
export async function loadFleet({ file, given, flags, rest }: FleetCall): Promise<LoadedFleet> {
  const entry = entryOf(file);
  const argv = rest.length > 0 ? [...flags.words, "--", ...rest] : flags.words;
  loading.entry = entry;
  setHost({ opening: async () => refuseWhileLoading("engine()") });
  const { main, sources } = await runEntry({ entry, argv, flags, envFile: textOf(given.envFile) });
  loading.entry = undefined;
  loading.command = nextCommands({ file, given }).fleet;
  const loaded = loadedFrom({ entry, main, sources }, { given, flags });
  if (!loaded) throw noFleet(entry);
  return loaded;
}

/** Returns undefined if the program exports no fleet. @throws EngineError `INVALID_ARGUMENT` */
export function loadedFrom(
  { entry, main, sources }: RanEntry & { readonly entry: string },
  { given, flags }: Pick<FleetCall, "given" | "flags">,
): LoadedFleet | undefined {
  if (!isFleet(main)) return undefined;
  return {
    fleet: main,
    version: digestOf(sources, dirname(entry)),
    defaults: defaultsOf(main, flags),
    queue: queueIn(given),
    lockTimeout: flags.options.lockTimeout,
  };
}

/** Returns the URL of the queue, once the file with environment variables is loaded. */
export function queueIn({ queue }: Given): string | undefined {
  return textOf(queue) ?? (process.env.ENGINE_QUEUE?.trim() || undefined);
}

/** Returns the options that the record of the fleet is opened with. */
export function recordOptions({ fleet, defaults }: Pick<LoadedFleet, "fleet" | "defaults">): RecordOptions {
  const { options = {} } = withDefaults({ stages: [], program() {}, options: fleet[BRAND] }, defaults);
  const { stateStore, password, key, profile, rootDir, strictState, env, plugins } = options;
  const all = { stateStore, password, key, profile, rootDir, strictState, env, plugins };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Reads the record of the fleet. It is closed, and can still be read. */
export async function openRecord(loaded: LoadedFleet): Promise<FleetRecord> {
  const record = await FleetRecord.read(loaded.fleet.name, recordOptions(loaded));
  await record.close();
  return record;
}

function noFleet(entry: string): EngineError {
  return new EngineError(
    "INVALID_PROGRAM",
    `"${entry}" has no fleet as its default export. Write: export default fleet("name", { stages, program }), with: import { fleet } from "scope-engine/fleet"`,
  );
}

/** @throws EngineError `INVALID_ARGUMENT` if `--state` contradicts the program, or a file cannot be read */
function defaultsOf(fleet: Branded, { options, opener }: ProgramFlags): FleetEngineOptions {
  const { stateStore, rootDir, profile, strictState, force, adopt, refresh, maxDeletes } = options;
  const own = fleet[BRAND].stateStore;
  if (stateStore !== undefined && own !== undefined && !("schemes" in Object(own))) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      "--state and the option stateStore of the fleet both name a state store. Leave one of them out.",
    );
  }
  const stage = { force, adopt, refresh, maxDeletes };
  const given = { stateStore, rootDir, profile, strictState, ...stage, ...(opener && openerOf(opener)) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/**
 * Returns a digest of the program and of this package. It is the same on every machine and in every folder. Files that
 * the program finds only while it runs do not count.
 *
 * @param folder of the program's main file
 */
export function digestOf(sources: readonly Source[], folder: string): string {
  const hash = createHash("sha256").update(JSON.stringify(["scope-engine", ownVersion()]));
  const named = sources.map(({ path }) => ({ path, name: relative(folder, path).split(sep).join("/") }));
  // A missing file belongs to an import that is not used.
  for (const { path, name } of named.filter((one) => isFile(one.path)).sort(byName))
    hash.update(JSON.stringify([name, createHash("sha256").update(readFileSync(path)).digest("hex")]));
  return hash.digest("hex").slice(0, 16);
}

interface Named {
  readonly name: string;
}

function byName(one: Named, other: Named): number {
  return one.name < other.name ? -1 : 1;
}
