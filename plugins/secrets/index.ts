/** Encrypts secrets in the state, masks them in output, and seals states so that only the key can write them. */
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
import { type KeptKeys, keptKeysFor } from "./kept-keys.js";
import { Keyring } from "./keyring.js";
import { checkOpener } from "./opener.js";
import { COST, checkCost, openerOf, passwordScopeOf } from "./password.js";
import { redactor } from "./redactor.js";
import { NAME, type StageKey, stageKeyFor, stagePasswordScope } from "./stage-key.js";

/** Options of {@link secrets}. */
export interface SecretsOptions {
  /** Cost of scrypt (N) for new keys, a power of two from 2^14 to 2^19. Default: 2^17, a third of a second. */
  readonly cost?: number;
}

/**
 * Encrypts values made by `engine.secret()` in the state, with the password or key of their scope. Seals the state of a
 * stage that has one: a state that was written without the key is refused. Keeps the key of a password on this machine
 * for the time in `ENGINE_PASSWORD_CACHE`, outside CI.
 *
 * @throws EngineError `INVALID_OPTION`; in a run `PASSWORD_REQUIRED` for a secret without a password or key, or for a
 * change of a sealed state; `KEY_INVALID`; `WRONG_PASSWORD`, `KEY_COMMAND_FAILED`, `STATE_FORGED`, `STATE_WENT_BACK`
 * before the first handler and the first write
 */
export function secrets({ cost = COST }: SecretsOptions = {}): EnginePlugin {
  checkCost(cost);
  return definePlugin({
    name: NAME,
    apply({ hooks, events, control, ask, warn }) {
      let run = new Run();
      let key: StageKey | undefined;
      let kept: KeptKeys | undefined;
      // A run that never ends may print the secrets that it has read, too.
      let releaseRedactor: (() => void) | undefined = redactor.hold();
      const codec = new SecretCodec(
        () => run.keyring,
        () => run.erases,
      );
      hooks.stateKey.tap(NAME, (context) => {
        const { options } = context.scope[INTERNALS];
        const erases = options.eraseSecrets && !run.hasErased;
        const accepts = (resources: number) => askToSeal(context.scope, ask, resources);
        const passwordScope = stagePasswordScope(context);
        const env = options.env ?? process.env;
        const hasPassword = options.password !== undefined || Boolean(env.ENGINE_PASSWORD_CACHE);
        kept = hasPassword ? keptKeysFor(env, warn) : undefined;
        key = stageKeyFor(context, { cost, erases, passwordScope, kept, warn, accepts });
        return key;
      });
      hooks.stateLoaded.tapPromise(NAME, async (context) => {
        run = run.isLoaded ? new Run(run.hasErased) : run;
        await run.load(context, cost, key, kept);
      });
      hooks.scopeCreated.tap(NAME, ({ scope }) => {
        if (scope.parent) return run.guard(scope);
        releaseRedactor ??= redactor.hold();
        return run.begin();
      });
      for (const end of ["run:finished", "run:failed", "run:repeated"] as const) {
        events.on(end, () => {
          releaseRedactor?.();
          releaseRedactor = undefined;
        });
      }
      // Admin tools have no run that ends.
      control.onReleased(() => {
        releaseRedactor?.();
        releaseRedactor = undefined;
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
        const what = "it is encrypted: set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine()";
        throw new EngineError("PASSWORD_REQUIRED", what);
      });
    },
  });
}

/** The state of the plugin for one run. */
class Run {
  /** A promise until the state is loaded. */
  keyring: Keyring | Promise<Keyring>;
  erases = false;
  /** Erasing once is enough for all runs of an app: secrets that are recorded later can be read. */
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

  async load(context: StateContext, cost: number, key?: StageKey, derived?: KeptKeys): Promise<void> {
    const { scope } = context;
    const { eraseSecrets, plan } = scope[INTERNALS].options;
    this.erases = eraseSecrets && !this.hasErased;
    const isReadOnly = scope.phase === "read" || plan;
    const kept = context.keep(NAME);
    // A run would start again here with a key of its own; a read-only run writes none.
    const beginsAnew = isReadOnly && !this.erases && key?.opened === "waived";
    const keyring = new Keyring(beginsAnew ? { ...NOTHING_KEPT, lineage: kept.lineage } : kept, cost, derived);
    if (key?.dataKey) keyring.know(key.dataKey);
    this.#context = context;
    this.#loaded = keyring;
    if (!isReadOnly) {
      const { passwordScope: stageScope, opened, isEmpty } = key ?? {};
      if (this.erases && context.isSealed && !stageScope) throw nothingToSealWith(scope);
      // A key in a state without seals may be forged, so it is used only where it is needed.
      const isLost = opened === "waived" || (isEmpty && !context.isSealed);
      // The keys of scopes may be forged, too.
      if (this.erases || (stageScope && isLost)) keyring.forget();
      if (stageScope && (this.erases || isLost)) await keyring.renew(stageScope);
      else if (stageScope && !context.isSealed) await keyring.seal(stageScope);
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

  /** Checks a password before the run uses it. */
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
    `eraseSecrets needs a new password or key, because the state of "${fqn}" stays sealed after the secrets are erased. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().`,
    { fqn },
  );
}

/** Replaces the recorded secrets with undefined. Their keys are already gone: this is for a lost password. */
async function eraseValues({ rewrite }: StateContext): Promise<void> {
  await rewrite(TAG, () => ({ $undefined: true }));
}

/** Asks only in a run that may change the state. */
async function askToSeal(scope: Scope, ask: PluginHost["ask"], resources: number): Promise<boolean> {
  if (scope.phase === "read" || scope[INTERNALS].options.plan) return false;
  const name = scope.chain.join("/");
  const details = [
    `The state of "${name}" is not sealed, so the engine cannot verify who wrote its records (resources: ${resources}).`,
    "This is normal if the password or key is new, or if the whole state was written before scope-engine had seals.",
  ];
  return (await ask(`Accept the state of "${name}" as it is, and seal it with the next change?`, details)) === true;
}
