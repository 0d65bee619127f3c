/** `engine add`: adds a provider to the cache and the lock file, and writes a module with its types. */

import { readFileSync } from "node:fs";
import { EngineError } from "../../../core/base/index.js";
import { counted } from "../../internal/text/counted.js";
import {
  countOf,
  generateModule,
  joined,
  NOTHING,
  type Offered,
  offeredBy,
  type Selection,
  select,
  selectionOf,
  stillOffered,
  used,
} from "../../terraform/generate/index.js";
import {
  type AddedProvider,
  type Adding,
  addProvider,
  lockIn,
  parseSource,
  readLock,
  type ToldSchema,
  termsOf,
  writeProjectFile,
} from "../../terraform/registry/index.js";
import { readFolder } from "./from/read-folder.js";
import { type ModuleFile, moduleFile, type ProviderProject, shownPath } from "./provider-project.js";

export interface AddRequest extends ModuleContents {
  /** Undefined: all providers in the lock file. Allowed only with `used`. */
  readonly source: string | undefined;
  /** A folder whose configuration names the providers and types. */
  readonly from?: string;
  readonly out?: string;
  readonly mirror?: string;
}

/** Dependencies of the commands about providers. */
export interface ProviderWork extends Omit<Adding, "lockFile" | "mirror"> {
  readonly project: ProviderProject;
  readonly schemaOf: (executable: string) => Promise<ToldSchema>;
  readonly usedIn: ReadUses;
  /** Prints one line of the result. */
  readonly print: (line: string) => void;
  /** Prints one line for people. */
  readonly report: (line: string) => void;
}

/** @throws EngineError */
export async function add({ from, ...request }: AddRequest, work: ProviderWork): Promise<void> {
  if (from === undefined) return addNamed(request, work);
  if (request.source !== undefined || request.out !== undefined || request.used) {
    const message = "--from DIR finds the providers and their types itself. Leave out the provider, --used and --out.";
    throw new EngineError("INVALID_ARGUMENT", message);
  }
  const { wanted, notes } = readFolder(from);
  for (const note of notes) work.report(note);
  for (const { source, names } of wanted) await addNamed({ ...request, source, names }, work);
}

type Named = Omit<AddRequest, "from">;

async function addNamed({ source, out, mirror, ...contents }: Named, work: ProviderWork): Promise<void> {
  const { project, report } = work;
  const { lockFile } = project;
  const sources = source === undefined ? lockedSources(lockFile, contents) : [source];
  for (const one of sources) {
    // Paths in a lock file are relative to its folder; typed paths, to the current folder.
    const parsed = parseSource(one, source === undefined ? project.folder : process.cwd());
    const terms = parsed.from === "registry" ? termsOf(parsed.address) : undefined;
    if (terms !== undefined) report(`warning: ${terms}`);
    const added = await addProvider(parsed, { ...work, lockFile, ...(mirror === undefined ? {} : { mirror }) });
    await writeAndLock(added, { ...contents, ...(out === undefined ? {} : { out }) }, work);
  }
}

function lockedSources(lockFile: string, { used }: ModuleContents): readonly string[] {
  const sources = used ? Object.keys(readLock(lockFile)) : [];
  if (sources.length > 0) return sources;
  throw new EngineError("INVALID_ARGUMENT", "The provider is missing. Name it, e.g. engine add cyrilgdn/postgresql.");
}

/** Writes the module before the lock file, so that an entry in the lock file means that the module is complete. */
export async function writeAndLock(
  added: AddedProvider,
  { out, ...contents }: ModuleContents & { readonly out?: string },
  { project, schemaOf, usedIn, print }: ProviderWork,
): Promise<void> {
  const { source, type, locked } = added;
  const file = moduleFile(project, { source, type, ...(out === undefined ? {} : { out }) });
  const told = await schemaOf(added.executable);
  const lines = writeModule({ added, told, file }, contents, (module) => usedIn(project.entry, module, type));
  // A mirror or a file does not contain the protocol version, but the provider reports it.
  const protocols = locked.protocols.length > 0 ? locked.protocols : [`${told.protocol}.0`];
  lockIn(project.lockFile, { ...added, locked: { ...locked, protocols } });
  print(`locked   ${source} ${locked.version}: ${shownPath(project.lockFile)}`);
  for (const line of lines) print(line);
}

/** Contents of the module of types of a provider. */
interface ModuleContents {
  /** Names on the command line. */
  readonly names: readonly string[];
  /** True to add the types that the program uses. */
  readonly used: boolean;
}

/** Returns the members of the provider's object that a program uses, such as `role` and `data.schemas`. */
type ReadUses = (entry: string | undefined, module: string, type: string) => readonly string[];

/** If no type is named, all types of a provider with at most this number are written. */
const FEW = 60;

/** @returns lines that report the changes @throws EngineError `INVALID_ARGUMENT` */
function writeModule(
  { added, told, file }: { readonly added: AddedProvider; readonly told: ToldSchema; readonly file: ModuleFile },
  contents: ModuleContents,
  usedOf: (module: string) => readonly string[],
): readonly string[] {
  const { source, type, locked } = added;
  const { schema } = told;
  const offered = offeredBy(type, schema);
  const before = stillOffered(file.written ?? NOTHING, offered);
  const selection = joined(before, wanted({ offered, file, type }, contents, usedOf));
  const { range, version } = locked;
  const text = generateModule({ source, type, range, version, schema, ...selection });
  const isSame = file.written !== undefined && readFileSync(file.path, "utf8") === text;
  if (!isSame) writeProjectFile(file.path, text);
  return [
    `${isSame ? "current " : "written "} ${shownPath(file.path)}: ${countText(selection)}`,
    ...goneLines(file.written ?? NOTHING, before),
    ...(countOf(selection) === 0 ? [hint(source, offered)] : []),
  ];
}

function wanted(
  { offered, file, type }: { readonly offered: Offered; readonly file: ModuleFile; readonly type: string },
  { names, used: isUsed }: ModuleContents,
  usedOf: (module: string) => readonly string[],
): Selection {
  const named = select(names, offered, type);
  if (isUsed) return joined(named, used(usedOf(file.path), offered));
  const all = selectionOf((kind) => [...offered[kind].keys()]);
  const isLeftOpen = names.length === 0 && file.written === undefined;
  return isLeftOpen && countOf(all) <= FEW ? all : named;
}

function countText({ resources, dataSources, ephemeral, functions }: Selection): string {
  const parts = [
    [resources.length, "resource"],
    [dataSources.length, "data source"],
    [ephemeral.length, "ephemeral resource"],
    [functions.length, "function"],
  ] as const;
  const there = parts.flatMap(([count, what]) => (count > 0 ? counted(count, what) : []));
  return there.join(", ") || "only the configuration";
}

function goneLines(before: Selection, now: Selection): readonly string[] {
  const gone = Object.values(selectionOf((kind) => before[kind].filter((name) => !now[kind].includes(name)))).flat();
  return gone.length === 0
    ? []
    : [`left out, because this version of the provider no longer has them: ${gone.join(", ")}`];
}

function hint(source: string, offered: Offered): string {
  const count = [...Object.values(offered)].reduce((sum, names) => sum + names.size, 0);
  const [first = "RESOURCE"] = offered.resources.keys();
  return `${source} offers ${count === 1 ? "1 type or function" : `${count} types and functions`}. Name the ones you need, e.g. "engine add ${source} ${first}", or use them in the program and run "engine add --used".`;
}
