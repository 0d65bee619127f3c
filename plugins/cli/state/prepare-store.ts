/** `engine state init`: prepares the store, or prints the statements with which an administrator does it. */
import { EngineError } from "../../../core/base/index.js";
import { storeOf } from "../../../core/engine/index.js";
import { print, printJson, printLines } from "../output.js";
import type { InState } from "./in-state.js";

/** @throws EngineError `INVALID_ARGUMENT` if `--sql` was given for a store without SQL */
export async function prepareStore({ app, admin, given }: InState): Promise<void> {
  const { store, isOwn } = await storeOf(app, app.options.stateStore);
  const { location = store.name, setup } = store;
  try {
    if (given.sql === true) {
      if (setup !== undefined) return printLines(setup.trimEnd().split("\n"));
      throw new EngineError("INVALID_ARGUMENT", `The store in ${location} needs no SQL. Leave out --sql.`);
    }
    // The first request makes what is missing.
    for await (const _ of store.list(`${admin.app}/${admin.stage}/`)) break;
    if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, location });
    print(`The store in ${location} is ready.`);
  } finally {
    if (isOwn) await store.close?.();
  }
}
