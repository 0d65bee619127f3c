/** Secrets: encrypted where they are recorded, and kept out of whatever people get to read. */
import { EngineError } from "../core/errors.js";
import type { StateContext } from "../core/hook-contexts.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import { INTERNALS } from "../core/scope/internals.js";
import type { Scope } from "../core/scope/scope.js";
import { SecretCodec } from "./secrets/codec.js";
import { TAG } from "./secrets/envelope.js";
import { homeOf, openerOf } from "./secrets/homes.js";
import { Keyring } from "./secrets/keyring.js";
import { redactor } from "./secrets/known.js";
import { checkOpener } from "./secrets/opener.js";
import { COST, checkCost } from "./secrets/password.js";
import { sealText, unsealText } from "./secrets/recovery.js";

/** How dear it is to derive a key from a password. */
export interface SecretsOptions {
  /** Cost of scrypt (N) for keys that are made from now on, a power of two from 2^14 to 2^20. Default: 2^17, a third of a second. */
  readonly cost?: number;
}

const NAME = "secrets";

/**
 * Encrypts values made by `engine.secret()` wherever they are recorded, with the password or key of their scope.
 *
 * @throws EngineError `INVALID_OPTION`; in a run `PASSWORD_REQUIRED` when a secret is met without one; `KEY_INVALID`; `WRONG_PASSWORD` and
 * `KEY_COMMAND_FAILED` before the first handler and the first write
 */
export function secrets({ cost = COST }: SecretsOptions = {}): EnginePlugin {
  checkCost(cost);
  return definePlugin({
    name: NAME,
    apply({ hooks, events }) {
      let run = new Run();
      // Also one that never comes to its end may print what it has read.
      let letGo: (() => void) | undefined = redactor.hold();
      const codec = new SecretCodec(
        () => run.keyring,
        () => run.erases,
      );
      hooks.stateLoaded.tap(NAME, async (context) => {
        run = run.isLoaded ? new Run(run.hasErased) : run;
        await run.load(context, cost);
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
      hooks.encodeValue.tap(NAME, (context) => codec.encode(context));
      hooks.decodeValue.tap(NAME, (context) => codec.decode(context));
      hooks.redact.tap(NAME, ({ text }) => ({ text: redactor.redact(text) }));
      hooks.seal.tap(NAME, ({ text, bound, scope }) => {
        const opener = openerOf(scope);
        return opener && sealText(opener, cost, text, bound);
      });
      hooks.unseal.tap(NAME, ({ sealed, bound, scope }) => {
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
  #begin: (keyring: Keyring) => void = () => {};

  constructor(hasErased = false) {
    this.hasErased = hasErased;
    this.keyring = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  get isLoaded(): boolean {
    return this.#context !== undefined;
  }

  async load(context: StateContext, cost: number): Promise<void> {
    const { scope } = context;
    const keyring = new Keyring(context.keep(NAME), cost);
    this.#context = context;
    this.#loaded = keyring;
    this.erases = scope[INTERNALS].options.eraseSecrets && !this.hasErased;
    if (this.erases && scope.phase !== "read") {
      await erase(context, keyring);
      this.hasErased = true;
    }
    this.guard(scope);
  }

  begin(): void {
    if (!this.#loaded) return;
    this.keyring = this.#loaded;
    this.#begin(this.#loaded);
  }

  /** A wrong password must be found before anything is done with it. */
  guard(scope: Scope): void {
    const home = homeOf(scope);
    const keyring = this.#loaded;
    if (!home || !keyring) return;
    checkOpener(home.opener);
    keyring.meet(home);
    if (!this.erases && keyring.has(home.path)) this.#context?.guard(async () => keyring.current(home));
  }
}

/** The recorded secrets become undefined, and their keys go: whoever has lost the password starts with another one. */
async function erase({ rewrite }: StateContext, keyring: Keyring): Promise<void> {
  keyring.forget();
  await rewrite(TAG, () => ({ $undefined: true }));
}
