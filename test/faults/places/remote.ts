/** State in a store that processes share: each folder's state is under a prefix of its own. */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import type { StateStore } from "../../../core/contract/index.js";
import { type RemoteName, remoteStore } from "../../helpers/stores/remote-stores.js";
import { putAll, snapshot } from "../../helpers/stores/store-contents.js";
import type { Halves, Places } from "./places.js";

export function remotePlaces(name: RemoteName): Places {
  const openIn = (folder: string): StateStore => remoteStore(name, keyPrefixOf(folder));
  return {
    name,
    open: openIn,
    halves: (folder) => halvesIn(name, folder),
    async copy(from, to) {
      const [source, target] = [openIn(from), openIn(to)];
      await putAll(target, await snapshot(source));
      await source.close?.();
      await target.close?.();
    },
  };
}

/** A single request is done or not done; only a batch may be done in part. */
function halvesIn(name: string, folder: string): Halves {
  return ({ op, keys }): ReturnType<Halves> => {
    if (op !== "deleteMany") return {};
    return { half: () => deleteNow(name, folder, keys.slice(0, keys.length / 2)) };
  };
}

/** Prefix of the keys of a folder's state. */
export function keyPrefixOf(folder: string): string {
  return `killed/${prefixOf(folder)}`;
}

/** The same for every process that uses the folder. */
export function prefixOf(folder: string): string {
  return hash("sha256", folder, "hex").slice(0, 32);
}

/** Runs in another process while this doomed process waits: requests need turns of the event loop. */
function deleteNow(name: string, folder: string, keys: readonly string[]): void {
  const program = join(dirname(process.argv[1] ?? ""), "places/remote-delete.child.js");
  execFileSync(process.execPath, [program, name, folder, ...keys]);
}
