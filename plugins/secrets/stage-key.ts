/** The key that a stage is sealed with: the data key of its secrets, and what this machine remembers of it. */
import { EngineError, isEngineError } from "../../core/base/index.js";
import {
  INTERNALS,
  type OpenedKey,
  type Scope,
  type SeenPosition,
  type SeenState,
  type StateKey,
  type StateKeyContext,
  type UntrustedState,
} from "../../core/contract/index.js";
import { deriveKey } from "./derivation.js";
import { type DataKey, derivationIn, Keyring, STAGE } from "./keyring.js";
import { checkOpener } from "./opener.js";
import { type PasswordScope, passwordScopeOf } from "./password-scopes.js";
import { howItWentBack, lastingPart, StageMemory } from "./stage-memory.js";

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
