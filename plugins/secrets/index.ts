/** Secrets: encrypted where they are recorded, and kept out of whatever people get to read; and states that only who has the key can write. */
import { EngineError, withResolvers } from "../../core/base/index.js";
import {
  type EnginePlugin,
  INTERNALS,
  type PluginHost,
  type Scope,
  type StateContext,
} from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { SecretCodec, sealText, unsealText } from "./codec.js";
import { TAG } from "./envelope.js";
import { Keyring } from "./keyring.js";
import { checkOpener } from "./opener.js";
import { COST, checkCost, openerOf, passwordScopeOf } from "./password.js";
import { redactor } from "./redactor.js";
import { NAME, type StageKey, stageHome, stageKeyFor } from "./stage-key.js";

/** How dear it is to derive a key from a password. */
export interface SecretsOptions {
  /** Cost of scrypt (N) for keys that are made from now on, a power of two from 2^14 to 2^19. Default: 2^17, a third of a second. */
  readonly cost?: number;
}

/**
 * Encrypts values made by `engine.secret()` wherever they are recorded, with the password or key of their scope; and seals the state of a
 * stage that has one: what somebody else has written is refused.
 *
 * @throws EngineError `INVALID_OPTION`; in a run `PASSWORD_REQUIRED` when a secret is met without one, or a sealed state is to be changed;
 * `KEY_INVALID`; `WRONG_PASSWORD`, `KEY_COMMAND_FAILED`, `STATE_FORGED`, `STATE_WENT_BACK` before the first handler and the first write
 */
export function secrets({ cost = COST }: SecretsOptions = {}): EnginePlugin {
  checkCost(cost);
  return definePlugin({
    name: NAME,
    apply({ hooks, events, control, ask, warn }) {
      let run = new Run();
      let key: StageKey | undefined;
      // Also one that never comes to its end may print what it has read.
      let letGo: (() => void) | undefined = redactor.hold();
      const codec = new SecretCodec(
        () => run.keyring,
        () => run.erases,
      );
      hooks.stateKey.tap(NAME, (context) => {
        const { options } = context.scope[INTERNALS];
        const erases = options.eraseSecrets && !run.hasErased;
        const accepts = (resources: number) => askToSeal(context.scope, ask, resources);
        key = stageKeyFor(context, { cost, erases, passwordScope: stageHome(context), warn, accepts });
        return key;
      });
      hooks.stateLoaded.tapPromise(NAME, async (context) => {
        run = run.isLoaded ? new Run(run.hasErased) : run;
        await run.load(context, cost, key);
      });
      hooks.scopeCreated.tap(NAME, ({ scope }) => {
        if (scope.parent) return run.guard(scope);
        letGo ??= redactor.hold();
        return run.begin();
      });
      for (const end of ["run:finished", "run:failed", "run:repeated"] as const) {
        events.on(end, () => {
          letGo?.();
          letGo = undefined;
        });
      }
      // That of a tool, which is no run.
      control.onReleased(() => {
        letGo?.();
        letGo = undefined;
      });
      hooks.encodeValue.tap(NAME, (context) => codec.encode(context));
      hooks.decodeValue.tap(NAME, (context) => codec.decode(context));
      hooks.redact.tap(NAME, ({ text }) => ({ text: redactor.redact(text) }));
      hooks.seal.tap(NAME, ({ text, bound, scope }) => {
        const opener = openerOf(scope);
        return opener && sealText(opener, cost, text, bound);
      });
      hooks.unseal.tapPromise(NAME, async ({ sealed, bound, scope }) => {
        const opener = openerOf(scope);
        if (opener) return unsealText(opener, sealed, bound);
        const what = "it is encrypted: set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key }";
        throw new EngineError("PASSWORD_REQUIRED", what);
      });
    },
  });
}

/** What the plugin knows of one run. */
class Run {
  /** A promise until the run has the state at hand: what is recorded can be asked for only then. */
  keyring: Keyring | Promise<Keyring>;
  erases = false;
  /** Once is enough for all runs of an app: what is recorded after it can be read. */
  hasErased: boolean;
  #context: StateContext | undefined;
  #loaded: Keyring | undefined;
  readonly #toCome = withResolvers<Keyring>();

  constructor(hasErased = false) {
    this.hasErased = hasErased;
    this.keyring = this.#toCome.promise;
  }

  get isLoaded(): boolean {
    return this.#context !== undefined;
  }

  async load(context: StateContext, cost: number, key: StageKey | undefined): Promise<void> {
    const { scope } = context;
    const { eraseSecrets, plan } = scope[INTERNALS].options;
    this.erases = eraseSecrets && !this.hasErased;
    const isLook = scope.phase === "read" || plan;
    const kept = context.keep(NAME);
    // A run would begin anew here, with a key of its own; a look writes none.
    const beginsAnew = isLook && !this.erases && key?.opened === "waived";
    const keyring = new Keyring(beginsAnew ? { ...NOTHING_KEPT, lineage: kept.lineage } : kept, cost);
    if (key?.dataKey) keyring.know(key.dataKey);
    this.#context = context;
    this.#loaded = keyring;
    if (!isLook) {
      const { passwordScope: home, opened, isEmpty } = key ?? {};
      if (this.erases && context.isSealed && !home) throw nothingToSealWith(scope);
      // A key that lies in a state without seals may have been put there: it is taken only for what it is needed for.
      const isLost = opened === "waived" || (isEmpty && !context.isSealed);
      // With those of scopes: the same may be true of them.
      if (this.erases || (home && isLost)) keyring.forget();
      if (home && (this.erases || isLost)) await keyring.renew(home);
      else if (home && !context.isSealed) await keyring.seal(home);
      if (this.erases) await eraseValues(context);
      this.hasErased ||= this.erases;
    }
    this.guard(scope);
  }

  begin(): void {
    if (!this.#loaded) return;
    this.keyring = this.#loaded;
    this.#toCome.resolve(this.#loaded);
  }

  /** A wrong password must be found before anything is done with it. */
  guard(scope: Scope): void {
    const passwordScope = passwordScopeOf(scope);
    const keyring = this.#loaded;
    if (!passwordScope || !keyring) return;
    checkOpener(passwordScope.opener);
    keyring.meet(passwordScope);
    if (!this.erases && keyring.has(passwordScope.path))
      this.#context?.guard(async () => keyring.current(passwordScope));
  }
}

const NOTHING_KEPT = { keys: [], get: () => undefined, set: () => {} };

function nothingToSealWith({ chain }: Scope): EngineError {
  const fqn = chain.join("/");
  return new EngineError(
    "PASSWORD_REQUIRED",
    `The state of "${fqn}" is sealed, and stays so: with eraseSecrets, give the new password or key. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().`,
    { fqn },
  );
}

/** The recorded secrets become undefined; their keys are gone by then: whoever has lost the password starts with another one. */
async function eraseValues({ rewrite }: StateContext): Promise<void> {
  await rewrite(TAG, () => ({ $undefined: true }));
}

/** Only a run that may change something asks. */
async function askToSeal(scope: Scope, ask: PluginHost["ask"], resources: number): Promise<boolean> {
  if (scope.phase === "read" || scope[INTERNALS].options.plan) return false;
  const name = scope.chain.join("/");
  const details = [
    `The state of "${name}" is not sealed: nobody can tell who wrote what is recorded there (resources: ${resources}).`,
    "That is so where the password or key is new, or where all of it is from before states were sealed.",
  ];
  return (await ask(`Seal the state of "${name}" as it is, with the next change?`, details)) === true;
}
