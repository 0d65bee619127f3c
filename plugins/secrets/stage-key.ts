/** The key that a stage is sealed with: the data key of its secrets, and what this machine remembers of it. */

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
import { derivationIn, Keyring, STAGE } from "./keyring.js";
import { checkOpener } from "./opener.js";
import { type PasswordScope, passwordScopeOf } from "./password.js";

/** Name of the plugin, under which it keeps keys in the state. */
export const NAME = "secrets";

export interface StageKeySettings {
  /** Cost of scrypt. */
  readonly cost: number;
  /** True where what is recorded is to be taken as it is, for its key is lost. */
  readonly erases: boolean;
  /** Undefined: all that is recorded of the stage is under the opener of some scope in it, and the stage has none. */
  readonly passwordScope: PasswordScope | undefined;
  warn(code: string, message: string): void;
  /** Whether a state that was never sealed is to be sealed as it is. */
  accepts(resources: number): boolean | Promise<boolean>;
}

/** A {@link StateKey} that says what it has come to. */
export interface StageKey extends StateKey {
  readonly passwordScope: PasswordScope | undefined;
  readonly opened: OpenedKey["is"] | undefined;
  readonly dataKey: DataKey | undefined;
  /** True where nothing was recorded that a key could have been used for. */
  readonly isEmpty: boolean;
}

export function stageKeyFor(context: StateKeyContext, settings: StageKeySettings): StageKey {
  const { scope, store, reader } = context;
  const { cost, erases, passwordScope, warn, accepts } = settings;
  const { strictState, plan } = scope[INTERNALS].options;
  const isLook = scope.phase === "read" || plan;
  const memory = StageMemory.of({ store, app: scope.appName, stage: scope.stage });
  if (passwordScope) begin(passwordScope, memory);
  let opened: OpenedKey["is"] | undefined;
  let dataKey: DataKey | undefined;
  let recorded: UntrustedState | undefined;
  let reportedWhy: string | undefined;
  /** What was agreed to: a state that is loaded again is not asked about again. */
  let accepted: string | undefined;
  const name = `"${scope.appName}/${scope.stage}"`;

  async function unlock(state: UntrustedState, at: PasswordScope): Promise<OpenedKey> {
    const isRecorded = state.kept(NAME, STAGE) !== undefined;
    if (erases)
      return {
        is: "waived",
        why: "cannot be verified, for its key is lost (eraseSecrets): it is taken as it is, and sealed anew.",
      };
    if (!isRecorded) return { is: "absent" };
    try {
      dataKey = await new Keyring(viewOf(state), cost).current(at);
      return { is: "open", sealer: dataKey.sealer };
    } catch (error) {
      if (!isEngineError(error, "WRONG_PASSWORD")) throw error;
      if (!state.isEmpty) throw error;
      return {
        is: "waived",
        why: "is empty, and was sealed with another password or key. It begins anew under this one. That it was destroyed by one of your runs is not verified.",
      };
    }
  }

  function reportWentBack(why: string): void {
    const error = wentBack(name, why);
    if (strictState) throw error;
    if (reportedWhy !== why) warn(error.code, error.message);
    reportedWhy = why;
  }

  function look(position: SeenPosition | undefined, state: SeenState): void {
    const { isEmpty, isProven, isLook: isToolsLook = false } = state;
    const last = memory?.last;
    if (!memory || (!last && !position?.isSealed)) return;
    if (last?.isSealed && position && !position.isSealed && !isEmpty && !erases) throw unsealed(name);
    const why = last && howItWentBack(last, position, isEmpty);
    if (why !== undefined) reportWentBack(why);
    // Who only looks has to say it again the next time; what is not proven is nothing to compare others with.
    if (!isProven || (why !== undefined && (isLook || isToolsLook))) return;
    const kdf = recorded && derivationIn(recorded.kept(NAME, STAGE));
    if (position) memory.keep({ ...lastingPart(position, state), ...(kdf ? { kdf: { ...kdf } } : {}) });
    else memory.forget();
  }

  return {
    isGiven: passwordScope !== undefined,
    recorded: { plugin: NAME, key: STAGE },
    passwordScope,
    get opened() {
      return opened;
    },
    get dataKey() {
      return dataKey;
    },
    get isEmpty() {
      return recorded?.isEmpty ?? true;
    },
    async open(state) {
      recorded = state;
      const answer: OpenedKey = passwordScope ? await unlock(state, passwordScope) : { is: "absent" };
      opened = answer.is;
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
    seen: look,
  };
}

/** What a scope of the stage is opened by is no key of all of it. */
export function stageHome({ scope }: StateKeyContext): PasswordScope | undefined {
  const passwordScope = passwordScopeOf(scope);
  if (passwordScope) checkOpener(passwordScope.opener);
  return passwordScope;
}

/** Deriving takes a third of a second: it goes on beside the load where the last one told how. */
function begin({ opener }: PasswordScope, memory: StageMemory | undefined): void {
  const kdf = derivationIn(memory?.last?.kdf && { id: "", wrapped: "", kdf: memory.last.kdf });
  // What it rejects with is told where the key is needed.
  if (kdf?.name === "scrypt") deriveKey(opener, kdf, "wrap").catch(() => {});
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
    `The state of ${name} is not sealed any more, and it was when this machine saw it last: somebody has put another one in its place. Nothing was done. Put back what was there, from the versions or a backup of the store; find out who can write to it.`,
  );
}

function unproven(name: string, { appName, stage }: Scope): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `The state of ${name} is not sealed, and this run has a password or key: anyone who can write to the store may have written what ${name} offers. Nothing of it was used. If that stage has a key, find out who has replaced its state. If it has none, say so: engine.ref(${JSON.stringify(appName)}, { stage: ${JSON.stringify(stage)}, unsealed: true }).`,
  );
}

function wentBack(name: string, why: string): EngineError {
  return new EngineError(
    "STATE_WENT_BACK",
    `The state of ${name} is not what this machine has seen last: ${why}. What was done since may be there, and is not recorded. Where you have put back a copy yourself, all is well: run once without strictState. Else compare with what is really there (engine drift), and find out who can write to the store.`,
  );
}

/** As it stands in the file. */
export interface Remembered extends SeenPosition {
  /** How the key is derived: with it that can begin before the state is read. */
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
    this.#last = read(path);
  }

  /** Undefined for a store that is in no place, such as one in memory, and where the user has no folder. */
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

  /** What was there is not there any more. */
  forget(): void {
    this.#last = undefined;
    platform()
      .files.remove(this.#path)
      // It is forgotten by this process alone.
      .catch(() => {});
  }

  /** Whole or not at all. Where it cannot be kept, e.g. in a home that is read-only, nothing is remembered. */
  keep(seen: Remembered): void {
    if (JSON.stringify(seen) === JSON.stringify(this.#last)) return;
    this.#last = seen;
    const { store, app, stage } = this.#stage;
    const text = JSON.stringify({ format: 1, app, stage, store: store.location, ...seen }, null, 1);
    try {
      platform().files.writeNow(this.#path, `${text}\n`);
    } catch {
      // It is remembered by this process alone.
    }
  }
}

function read(path: string): Remembered | undefined {
  try {
    const { format, lineage, seq, lines, digest, isSealed, kdf } = JSON.parse(platform().files.readNow(path));
    const isSound = typeof lineage === "string" && Number.isInteger(seq) && Number.isInteger(lines);
    if (format !== 1 || !isSound || typeof digest !== "string" || typeof isSealed !== "boolean") return undefined;
    return { lineage, seq, lines, digest, isSealed, ...(kdf === undefined ? {} : { kdf }) };
  } catch {
    return undefined; // None yet, or none that anybody could use.
  }
}

/** What a later state is compared with: lines that a power loss may take are none that somebody has to answer for. Pure. */
export function lastingPart(position: SeenPosition, { isLasting }: Pick<SeenState, "isLasting">): SeenPosition {
  return isLasting ? position : { ...position, lines: 0 };
}

/** How a state is older than it was, or another one; undefined where it is not. Pure. */
export function howItWentBack(last: SeenPosition, now: SeenPosition | undefined, isEmpty = false): string | undefined {
  if (!now) return "nothing is there any more";
  if (now.lineage !== last.lineage) return "another one is in its place, which began anew";
  if (last.isSealed && !now.isSealed && isEmpty)
    return "all that was recorded is gone, and nobody with its key says so";
  if (now.seq < last.seq) return `it is as of entry ${now.seq} again, and was at ${last.seq}`;
  if (now.seq > last.seq) return undefined;
  if (now.lines < last.lines)
    return `of its entry ${now.seq} ${now.lines} lines are there, and there were ${last.lines}`;
  if (now.lines === last.lines && now.digest !== last.digest) return `its entry ${now.seq} is another one than it was`;
  return undefined;
}
