/** Warns of a state in files beside the program that a command does not use, because it was started elsewhere. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { OWN_FOLDER } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { storeOf } from "../../core/engine/index.js";
import { appOf } from "../../core/run/index.js";
import { shellWord } from "../internal/text/shell-word.js";
import { say } from "./output.js";

/** @param entry absolute path of the program's file */
export async function warnOfStateBeside(root: Scope, entry: string): Promise<void> {
  const { appName, stage } = root;
  const { rootDir, stateStore } = root[INTERNALS].options;
  const folder = dirname(entry);
  if (stateStore !== undefined || folder === rootDir || !existsSync(join(folder, OWN_FOLDER))) return;
  const holds = async (at: string): Promise<boolean> => {
    const { store } = await storeOf(appOf(root), pathToFileURL(join(at, OWN_FOLDER)).href);
    try {
      for await (const _key of store.list(`${appName}/${stage}/`)) return true;
      return false;
    } finally {
      await store.close?.();
    }
  };
  if (!(await holds(folder)) || (await holds(rootDir))) return;
  const shown = relative(process.cwd(), folder) || ".";
  say(
    `warning: The state of "${appName}/${stage}" is in "${join(shown, OWN_FOLDER)}", but this command uses "${join(rootDir, OWN_FOLDER)}", which has none. Run it in the folder of the program (cd ${shellWord(shown)}), or pass --root-dir ${shellWord(shown)}.`,
  );
}
