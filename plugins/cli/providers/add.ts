/** `engine add`: a provider into the cache and the lock file, its types into a module. */
import { EngineError } from "../../../core/base/index.js";
import {
  type AddedProvider,
  type Adding,
  addProvider,
  lockIn,
  parseSource,
  readLock,
  type ToldSchema,
  termsOf,
} from "../../terraform/registry/index.js";
import { readFolder } from "./from/read-folder.js";
import { moduleFile, type ProviderProject, shownPath } from "./provider-project.js";
import { type ModuleContents, type ReadUses, writeModule } from "./write-module.js";

export interface AddRequest extends ModuleContents {
  /** Undefined: all that the lock file has, of which more is used. */
  readonly source: string | undefined;
  /** A folder whose configuration names the providers and types. */
  readonly from?: string;
  readonly out?: string;
  readonly mirror?: string;
}

/** What commands about providers work with. */
export interface ProviderWork extends Omit<Adding, "lockFile" | "mirror"> {
  readonly project: ProviderProject;
  readonly schemaOf: (executable: string) => Promise<ToldSchema>;
  readonly usedIn: ReadUses;
  /** One line of the result. */
  readonly print: (line: string) => void;
  /** One line for people. */
  readonly report: (line: string) => void;
}

/** @throws EngineError */
export async function add({ from, ...request }: AddRequest, work: ProviderWork): Promise<void> {
  if (from === undefined) return addNamed(request, work);
  if (request.source !== undefined || request.out !== undefined || request.used) {
    const message =
      "--from DIR finds the providers and their types itself: name no provider with it, and neither --used nor --out.";
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
    // What a lock file names is relative to that; what is typed, to where it is typed.
    const parsed = parseSource(one, source === undefined ? project.folder : process.cwd());
    const terms = parsed.from === "registry" ? termsOf(parsed.address) : undefined;
    if (terms !== undefined) report(`warning: ${terms}`);
    const added = await addProvider(parsed, { ...work, lockFile, ...(mirror === undefined ? {} : { mirror }) });
    await take(added, { ...contents, ...(out === undefined ? {} : { out }) }, work);
  }
}

function lockedSources(lockFile: string, { used }: ModuleContents): readonly string[] {
  const sources = used ? Object.keys(readLock(lockFile)) : [];
  if (sources.length > 0) return sources;
  throw new EngineError(
    "INVALID_ARGUMENT",
    "Which provider is to be added? Name it, e.g. engine add cyrilgdn/postgresql.",
  );
}

/** Writes the module first: a lock file without it would say that all is done. */
export async function take(
  added: AddedProvider,
  { out, ...contents }: ModuleContents & { readonly out?: string },
  { project, schemaOf, usedIn, print }: ProviderWork,
): Promise<void> {
  const { source, type, locked } = added;
  const file = moduleFile(project, { source, type, ...(out === undefined ? {} : { out }) });
  const told = await schemaOf(added.executable);
  const lines = writeModule({ added, told, file }, contents, (module) => usedIn(project.entry, module, type));
  // A mirror or a file says nothing of it: the provider does.
  const protocols = locked.protocols.length > 0 ? locked.protocols : [`${told.protocol}.0`];
  lockIn(project.lockFile, { ...added, locked: { ...locked, protocols } });
  print(`locked   ${source} ${locked.version}: ${shownPath(project.lockFile)}`);
  for (const line of lines) print(line);
}
