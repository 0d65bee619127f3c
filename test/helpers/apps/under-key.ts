/** Ledgers of a stage that has a key, without an engine around. */

import type { StateKey } from "../../../core/contract/index.js";
import { KeptData } from "../../../core/state/index.js";
import type { LedgerSettings } from "../../../core/state/ledger.js";
import { Keyring, STAGE } from "../../../plugins/secrets/keyring.js";
import { LEAST_COST } from "../../../plugins/secrets/password.js";
import { NAME } from "../../../plugins/secrets/stage-key.js";

/** Any two keys: they open only stages of these tests. */
export const KEYS = [
  "scope-engine-key-1-EhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhIMCMBu",
  "scope-engine-key-1-ISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISGmTxTg",
] as const;

const home = { path: STAGE, fqn: "app/dev", opener: { key: KEYS[0] } };

/** The first of them, as a run holds it that was given it. @param seen the same as in that run */
export function keyOfStage(seen: StateKey["seen"] = () => {}): StateKey {
  return {
    isGiven: true,
    recorded: { plugin: NAME, key: STAGE },
    async open({ lineage = "", kept }) {
      if (kept(NAME, STAGE) === undefined) return { is: "absent" };
      const view = { lineage, keys: [STAGE], get: (key: string) => kept(NAME, key), set() {} };
      const { sealer } = await new Keyring(view, LEAST_COST).current(home);
      return { is: "open", sealer };
    },
    accepts: () => false,
    seen,
  };
}

/** Options of a ledger that brings the key if none is recorded, as the first run of a stage does. */
export function underKey(seal: StateKey = keyOfStage()): Pick<LedgerSettings, "seal" | "loaded"> {
  return {
    seal,
    async loaded(ledger) {
      if (ledger.seal === "none") await new Keyring(new KeptData(ledger, NAME), LEAST_COST).seal(home);
    },
  };
}
