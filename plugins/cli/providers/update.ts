/** `engine providers update`: takes the newest version in the range of each provider, and its types. */
import { resolve } from "node:path";
import {
  addProvider,
  addressText,
  chooseVersion,
  type LockedProvider,
  lockIn,
  missing,
  type ProviderSource,
  parseSource,
  pathText,
  readLock,
  takeVersion,
} from "../../terraform/registry/index.js";
import { type ProviderWork, writeAndLock } from "./add.js";
import { moduleFile } from "./provider-project.js";

/** @param named source as typed, with another range to change it; undefined: all providers */
export async function update(named: string | undefined, work: ProviderWork): Promise<void> {
  const { folder, lockFile } = work.project;
  const lock = readLock(lockFile);
  if (named === undefined) {
    for (const [name, locked] of Object.entries(lock))
      await updateOne(parseSource(name, folder), { name, locked }, work);
    return;
  }
  const source = parseSource(named, process.cwd());
  const name = source.from === "path" ? pathText(source.path, folder) : addressText(source.address);
  const locked = lock[name];
  if (!locked) throw missing(`"${name}" is not in ${lockFile}. Add it: engine add ${named}`);
  await updateOne(source, { name, locked }, work);
}

interface Locked {
  readonly name: string;
  readonly locked: LockedProvider;
}

async function updateOne(source: ProviderSource, { name, locked }: Locked, work: ProviderWork): Promise<void> {
  const { project, print } = work;
  const { lockFile } = project;
  if (source.from === "path") {
    // A local provider may have been rebuilt, so its types may have changed.
    await writeAndLock(await addProvider(source, { ...work, lockFile }), { names: [], used: false }, work);
    return;
  }
  const { address, range = locked.range } = source;
  const from = locked.mirror === undefined ? {} : { mirror: resolve(project.folder, locked.mirror) };
  const { version } = await chooseVersion({ address, range, ...from }, work);
  if (version === locked.version && range === locked.range) {
    print(`current  ${name} ${version}, the newest in ${range}`);
    return;
  }
  const added = await takeVersion({ address, version, range, before: locked }, { ...work, lockFile, ...from });
  const { written } = moduleFile(project, { source: name, type: address.type });
  if (written) return writeAndLock(added, { names: [], used: false }, work);
  lockIn(lockFile, added);
  print(`locked   ${name} ${version}, was ${locked.version}`);
}
