/** What somebody can do who may write to the store: a state that is sound, and not what was recorded. */
import { parseCheckpoint, writeCheckpoint } from "../../core/state/checkpoint.js";
import { seal, unseal } from "../../core/state/entry.js";
import { ledgerKeys, seqOf } from "../../core/state/keys.js";
import type { StateStore } from "../../core/state/store.js";

/** Copies the newest checkpoint, which a small changed run leaves at its end, with other text in it. */
export async function rewriteState(
  from: StateStore,
  to: StateStore,
  change: (text: string) => string,
  { app = "app", stage = "dev" } = {},
): Promise<void> {
  const keys = ledgerKeys(app, stage);
  const names: string[] = [];
  for await (const key of from.list(keys.checkpoints)) names.push(key);
  const key = names.sort().at(-1) ?? "";
  const seq = seqOf(key) ?? 0;
  const { head, contents } = parseCheckpoint(key, seq, (await from.get(key)) ?? "");
  const text = change(writeCheckpoint(head, contents, "0.1.0"));
  // Sealed anew: the digest protects from accidents, not from people.
  const { digest: _digest, ...body } = JSON.parse(text);
  const sealed = seal(JSON.stringify(body)).text;
  if (unseal(sealed) === undefined) throw new Error("It is not sealed.");
  await to.create(key, `${sealed}\n`);
}
