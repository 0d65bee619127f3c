/** The key that seals a stage: the data key of its secrets, and this machine's memory of the stage. */

import { join } from "node:path";
import { EngineError, isEngineError, machineFolder, platform } from "../../core/base/index.js";
import {
  type Encoded,
  INTERNALS,
  type OpenedKey,
  type Scope,
  type SeenPosition,
  type SeenState,
  type StateKey,
  type StateKeyContext,
  type StateStore,
  type UntrustedState,
} from "../../core/contract/index.js";
import { deriveKey } from "./derivation.js";
import type { DataKey } from "./envelope.js";
import { sha256 } from "./envelope.js";
import type { KeptKeys } from "./kept-keys.js";
import { derivationIn, Keyring, STAGE } from "./keyring.js";
import { checkOpener } from "./opener.js";
import { type PasswordScope, passwordScopeOf } from "./password.js";

/** Name of the plugin, under which the state keeps its keys. */
export const NAME = "secrets";

export interface StageKeySettings {
  /** Cost of scrypt. */
  readonly cost: number;
  /** True if the engine takes the recorded values as they are, because their key is lost. */
  readonly erases: boolean;
  /** Undefined if the stage has no opener, only some of its scopes. */
  readonly passwordScope: PasswordScope | undefined;
  /** Derived keys of earlier processes. */
  readonly kept?: KeptKeys | undefined;
  warn(code: string, message: string): void;
  /** Returns true if a state that was never sealed may be sealed as it is. */
  accepts(resources: number): boolean | Promise<boolean>;
}

/** A {@link StateKey} that exposes its result. */
export interface StageKey extends StateKey {
  readonly passwordScope: PasswordScope | undefined;
  readonly opened: OpenedKey["is"] | undefined;
  readonly dataKey: DataKey | undefined;
  /** True if the state recorded nothing for which a key could have been used. */
  readonly isEmpty: boolean;
}

export function stageKeyFor(context: StateKeyContext, settings: StageKeySettings): StageKey {
  const { scope, store, reader } = context;
  const { cost, erases, passwordScope, kept, warn, accepts } = settings;
  const { strictState, plan } = scope[INTERNALS].options;
  const isReadOnly = scope.phase === "read" || plan;
  const memory = StageMemory.of({ store, app: scope.appName, stage: scope.stage });
  if (passwordScope) startDerivation(passwordScope, memory, kept);
  let recorded: UntrustedState | undefined;
  let reportedWhy: string | undefined;
  /** The digest of an accepted state: the same state is not asked about again. */
  let accepted: string | undefined;
  const name = `"${scope.appName}/${scope.stage}"`;

  async function unlock(state: UntrustedState, at: PasswordScope): Promise<OpenedKey> {
    const isRecorded = state.kept(NAME, STAGE) !== undefined;
    if (erases)
      return {
        is: "waived",
        why: "cannot be verified, because this run erases the secrets of a lost password or key (eraseSecrets). The engine accepts the state as it is and seals it again.",
      };
    if (!isRecorded) return { is: "absent" };
    try {
      const dataKey = await new Keyring(viewOf(state), cost, kept).current(at);
      key.dataKey = dataKey;
      return { is: "open", sealer: dataKey.sealer };
    } catch (error) {
      if (!isEngineError(error, "WRONG_PASSWORD")) throw error;
      if (!state.isEmpty) throw error;
      return {
        is: "waived",
        why: "is empty and was sealed with another password or key. So the engine cannot verify that one of your runs emptied it. This run seals it with its own password or key.",
      };
    }
  }

  function reportWentBack(why: string): void {
    const error = wentBack(name, why, strictState);
    if (strictState) throw error;
    if (reportedWhy !== why) warn(error.code, error.message);
    reportedWhy = why;
  }

  function compareWithMemory(position: SeenPosition | undefined, state: SeenState): void {
    const { isEmpty, isProven, isLook: isToolsLook = false } = state;
    const last = memory?.last;
    if (!memory || (!last && !position?.isSealed)) return;
    if (last?.isSealed && position && !position.isSealed && !isEmpty && !erases) throw unsealed(name);
    const why = last && howItWentBack(last, position, isEmpty);
    if (why !== undefined) reportWentBack(why);
    // A read-only run must report it again the next time. An unproven state is no basis for comparison.
    if (!isProven || (why !== undefined && (isReadOnly || isToolsLook))) return;
    const kdf = recorded && derivationIn(recorded.kept(NAME, STAGE));
    if (position) memory.keep({ ...lastingPart(position, state), ...(kdf ? { kdf: { ...kdf } } : {}) });
    else memory.forget();
  }

  // Not with getters: in an object literal they would keep this run until a full garbage collection.
  const key: { -readonly [Name in keyof StageKey]: StageKey[Name] } = {
    isGiven: passwordScope !== undefined,
    recorded: { plugin: NAME, key: STAGE },
    passwordScope,
    opened: undefined,
    dataKey: undefined,
    isEmpty: true,
    async open(state) {
      recorded = state;
      key.isEmpty = state.isEmpty;
      const answer: OpenedKey = passwordScope ? await unlock(state, passwordScope) : { is: "absent" };
      key.opened = answer.is;
      return answer;
    },
    async accepts(state) {
      const digest = state.digest();
      if (accepted === digest) return true;
      if (reader) {
        if (!reader.allowsUnsealed) throw unproven(name, scope);
      } else if (!(await accepts(state.resources))) return false;
      accepted = digest;
      return true;
    },
    seen: compareWithMemory,
  };
  return key;
}

/** The opener of a scope does not open the whole stage. */
export function stagePasswordScope({ scope }: StateKeyContext): PasswordScope | undefined {
  const passwordScope = passwordScopeOf(scope);
  if (passwordScope) checkOpener(passwordScope.opener);
  return passwordScope;
}

/** Starts the derivation, a third of a second, during the load if its parameters are remembered. */
function startDerivation({ opener }: PasswordScope, memory: StageMemory | undefined, kept?: KeptKeys): void {
  const kdf = derivationIn(memory?.last?.kdf && { id: "", wrapped: "", kdf: memory.last.kdf });
  // The caller that needs the key gets the rejection.
  if (kdf?.name === "scrypt") deriveKey(opener, kdf, "wrap", kept).catch(() => {});
}

function viewOf(state: UntrustedState): ConstructorParameters<typeof Keyring>[0] {
  return {
    lineage: state.lineage ?? "",
    keys: [STAGE],
    get: (key) => state.kept(NAME, key),
    set: () => {},
  };
}

function unsealed(name: string): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `The state of ${name} was sealed when this machine last read it, but it is not sealed now. So someone without the password or key replaced it. Nothing was done. Restore the former state from an older version in the store or from a backup, and find out who can write to the store.`,
  );
}

function unproven(name: string, { appName, stage }: Scope): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `The state of ${name} is not sealed, and this run has a password or key. Anyone who can write to the store may have written the values of ${name}, so none of them was used. If that stage has a key, find out who replaced its state. If that stage has no key, allow its values: engine.ref(${JSON.stringify(appName)}, { stage: ${JSON.stringify(stage)}, unsealed: true }).`,
  );
}

function wentBack(name: string, why: string, isStrict: boolean): EngineError {
  const ownCopy = isStrict ? "run once without strictState (--strict-state)" : "ignore this warning";
  return new EngineError(
    "STATE_WENT_BACK",
    `The state of ${name} is not the state that this machine last read: ${why}. Real resources may exist that are not recorded. If you restored a copy yourself, ${ownCopy}. Otherwise compare the state with the real resources ("engine drift"), and find out who can write to the store.`,
  );
}

/** The content of the file. */
export interface Remembered extends SeenPosition {
  /** The derivation of the key, which can start with it before the state is read. */
  readonly kdf?: Encoded;
}

interface RememberedStage {
  readonly store: Pick<StateStore, "name" | "location">;
  readonly app: string;
  readonly stage: string;
}

export class StageMemory {
  readonly #path: string;
  readonly #stage: RememberedStage;
  #last: Remembered | undefined;

  private constructor(path: string, stage: RememberedStage) {
    this.#path = path;
    this.#stage = stage;
    this.#last = readMemory(path);
  }

  /** Returns undefined for a store without a location, such as one in memory, and if the user has no folder. */
  static of(stage: RememberedStage, env = process.env): StageMemory | undefined {
    const folder = machineFolder(env);
    const { location, name } = stage.store;
    if (folder === undefined || location === undefined) return undefined;
    const digest = sha256(Buffer.from(JSON.stringify([name, location, stage.app, stage.stage])));
    return new StageMemory(join(folder, "stages", `${digest.toString("hex").slice(0, 40)}.json`), stage);
  }

  get last(): Remembered | undefined {
    return this.#last;
  }

  /** Removes the memory of a stage that no longer exists. */
  forget(): void {
    this.#last = undefined;
    platform()
      .files.remove(this.#path)
      // Then only this process forgets it.
      .catch(() => {});
  }

  /**
   * Writes the whole file or nothing. If it cannot be written, e.g. in a read-only home, only this process remembers
   * it.
   */
  keep(seen: Remembered): void {
    if (JSON.stringify(seen) === JSON.stringify(this.#last)) return;
    this.#last = seen;
    const { store, app, stage } = this.#stage;
    const text = JSON.stringify({ format: 1, app, stage, store: store.location, ...seen }, null, 1);
    try {
      platform().files.writeNow(this.#path, `${text}\n`);
    } catch {
      // Only this process remembers it.
    }
  }
}

function readMemory(path: string): Remembered | undefined {
  try {
    const text = platform().files.readNow(path);
    if (text === undefined) return undefined;
    const { format, lineage, seq, lines, digest, isSealed, kdf } = JSON.parse(text);
    const isSound = typeof lineage === "string" && Number.isInteger(seq) && Number.isInteger(lines);
    if (format !== 1 || !isSound || typeof digest !== "string" || typeof isSealed !== "boolean") return undefined;
    return { lineage, seq, lines, digest, isSealed, ...(kdf === undefined ? {} : { kdf }) };
  } catch {
    return undefined; // The file is unusable.
  }
}

/**
 * Returns the part of a position that later states are compared with. Lines that a power loss may remove do not count.
 * Pure.
 */
export function lastingPart(position: SeenPosition, { isLasting }: Pick<SeenState, "isLasting">): SeenPosition {
  return isLasting ? position : { ...position, lines: 0 };
}

/** Returns how a state is older than before or replaced; undefined if it is neither. Pure. */
export function howItWentBack(last: SeenPosition, now: SeenPosition | undefined, isEmpty = false): string | undefined {
  if (!now) return "it does not exist any more";
  if (now.lineage !== last.lineage) return "a state that was created separately is in its place";
  if (last.isSealed && !now.isSealed && isEmpty)
    return "all its records are gone, and the empty state is not sealed with its key";
  if (now.seq < last.seq) return `it was at entry ${last.seq}, and is now at entry ${now.seq}`;
  if (now.seq > last.seq) return undefined;
  if (now.lines < last.lines)
    return `its entry ${now.seq} has fewer lines than before (${now.lines} instead of ${last.lines})`;
  if (now.lines === last.lines && now.digest !== last.digest)
    return `its entry ${now.seq} has other content than before`;
  return undefined;
}
