/**
 * A consistent state that was never recorded: the forgery of an attacker who may write to the store, with or without
 * its key.
 */

import { pluginOwner, type Sealer, type StateStore } from "../../../core/contract/index.js";
import { digested, readDigested } from "../../../core/state/checkpoint/digested-text.js";
import { type Checkpoint, ledgerKeys, parseCheckpoint, seqOf, writeCheckpoint } from "../../../core/state/index.js";
import { SEALED_FORMAT } from "../../../core/state/journal/entry.js";
import { macOfCheckpoint } from "../../../core/state/seal/sealer.js";
import { Keyring, STAGE } from "../../../plugins/secrets/keyring.js";
import { NAME } from "../../../plugins/secrets/stage-key.js";

interface Rewriting {
  readonly app?: string;
  readonly stage?: string;
  /** Password of the stage: the copy has a MAC by its key, as if a run had written it. Default: it has none. */
  readonly password?: string;
}

/** Copies the newest checkpoint, which a small changed run leaves at its end, with changed text. */
export async function rewriteState(
  from: StateStore,
  to: StateStore,
  change: (text: string) => string,
  { app = "app", stage = "dev", password }: Rewriting = {},
): Promise<void> {
  const keys = ledgerKeys(app, stage);
  const names: string[] = [];
  for await (const key of from.list(keys.checkpoints)) names.push(key);
  const key = names.sort().at(-1) ?? "";
  const seq = seqOf(key) ?? 0;
  const checkpoint = parseCheckpoint(key, seq, (await from.get(key)) ?? "");
  const text = change(writeCheckpoint(checkpoint.head, checkpoint.contents, { version: "0.1.0" }));
  // Its digest is made again: digests protect from accidents, not from attackers.
  const { digest: _digest, ...body } = JSON.parse(text);
  const sealer = password === undefined ? undefined : await sealerOf(checkpoint, password);
  const made = sealer
    ? digested(JSON.stringify({ ...body, format: SEALED_FORMAT }), (covered) =>
        macOfCheckpoint(sealer, "checkpoint", { ...body, digest: body.entry }, covered),
      )
    : digested(JSON.stringify(body));
  if (readDigested(made.text) === undefined) throw new Error("Its digest does not fit.");
  await to.create(key, `${made.text}\n`);
}

async function sealerOf({ head, contents }: Checkpoint, password: string): Promise<Sealer> {
  const { lineage = "" } = head;
  const kept = contents.data.get(pluginOwner(NAME));
  const state = { lineage, keys: [STAGE], get: (key: string) => kept?.get(key), set: () => {} };
  if (!kept?.has(STAGE)) throw new Error("The state has no key.");
  return (await new Keyring(state, 0).current({ path: STAGE, fqn: "", opener: { password } })).sealer;
}
