/** Whether anything was recorded since, without reading what is recorded. */
import { isGrowing } from "../../contract/index.js";
import { type LedgerLocation, listKeys } from "../../state/index.js";

/** A text that is another one as soon as anything else is recorded. One request; two of a store whose entries grow. */
export async function markOf({ store, keys }: Pick<LedgerLocation, "store" | "keys">): Promise<string> {
  const { checkpoints, entries } = await listKeys({ store, keys });
  const seq = Math.max(checkpoints.at(-1) ?? 0, entries.at(-1) ?? 0);
  const text = isGrowing(store) && seq > 0 ? await store.get(keys.entry(seq)) : undefined;
  return `${seq}:${text?.length ?? 0}`;
}
