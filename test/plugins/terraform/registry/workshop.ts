/** A folder with a cache and a lock file, and a registry to fill them from. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddedProvider, addProvider, lockIn, parseSource } from "../../../../plugins/terraform/registry/index.js";
import { type Key, type LocalRegistry, localRegistry, newKey, type Release } from "./local-registry.ts";

let key: Promise<Key> | undefined;

export interface Workshop {
  readonly folder: string;
  readonly root: string;
  readonly lockFile: string;
  readonly registry: LocalRegistry;
  /** Reported lines. */
  readonly lines: string[];
  readonly name: string;
  /** Chooses, downloads and locks `acme/thing`. */
  add(range?: string, more?: object): Promise<AddedProvider>;
  /** Names of all files in the cache, without empty folders. */
  cached(): Promise<readonly string[]>;
  lock(): Promise<string>;
  close(): Promise<void>;
}

export const IMPATIENT = { attempts: 3, pause: 1, silence: 60_000 };

export async function workshop(releases: readonly Release[] = [{ version: "1.2.0" }]): Promise<Workshop> {
  key ??= newKey();
  const registry = await localRegistry(releases, await key);
  const folder = await mkdtemp(join(tmpdir(), "terraform-registry-"));
  const [root, lockFile] = [join(folder, "cache"), join(folder, "engine.lock.json")];
  const lines: string[] = [];
  const name = `${registry.host}/acme/thing`;
  return {
    folder,
    root,
    lockFile,
    registry,
    lines,
    name,
    async add(range, more = {}) {
      const source = parseSource(range === undefined ? name : `${name}@${range}`, folder);
      const report = (line: string): void => void lines.push(line);
      const added = await addProvider(source, { root, lockFile, report, patience: IMPATIENT, ...more });
      lockIn(lockFile, added);
      return added;
    },
    async cached() {
      const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      return all
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) =>
          join(parentPath, name)
            .slice(root.length + 1)
            .replace(registry.host.replace(":", "_"), "HOST"),
        )
        .sort();
    },
    lock: () => readFile(lockFile, "utf8"),
    async close() {
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
