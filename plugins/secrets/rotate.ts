/** Another password or key for a stage that has secrets, and another data key. */
import type { RotationOptions, RunWith } from "../../core/admin/index.js";
import { EngineError } from "../../core/base/index.js";
import type { Encoded, StateContext } from "../../core/contract/index.js";
import { checkOptions } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { lock, parseEnvelope, TAG, unlock, unreadable } from "./envelope.js";
import { secrets } from "./index.js";
import { Keyring } from "./keyring.js";
import { redactor } from "./known.js";
import { checkOpener, isSameOpener, nameOfOpener, type Opener, openerIn } from "./opener.js";
import { COST } from "./password.js";
import { openerOf, type PasswordScope } from "./password-scopes.js";
import { NAME, type StageKey, stageHome, stageKeyFor } from "./stage-key.js";

/** False where the stage has no secrets. */
export async function rotate(run: RunWith, options: RotationOptions): Promise<boolean> {
  let isDone = false;
  await change(run, options, async ({ keyring, passwordScope, context }) => {
    const next = nextOpener(options);
    if (!next)
      throw new EngineError("INVALID_OPTION", 'A new password or a new key is needed: pass "newPassword" or "newKey".');
    if (isSameOpener(next, passwordScope.opener)) {
      const name = nameOfOpener(next);
      const message = `The new ${name} of "${passwordScope.fqn}" is the present one. Nothing was changed: give another one as ${name === "key" ? "newKey" : "newPassword"}.`;
      throw new EngineError("INVALID_OPTION", message, { fqn: passwordScope.fqn });
    }
    isDone = keyring.has(passwordScope.path);
    await keyring.rewrap(passwordScope, next);
    await context.rewrite(TAG, () => undefined);
  });
  return isDone;
}

/** How many secrets were encrypted anew. */
export async function rekey(run: RunWith, options: RotationOptions): Promise<number> {
  let count = 0;
  await change(run, options, async ({ keyring, passwordScope, context }) => {
    if (!keyring.has(passwordScope.path)) return;
    const old = await keyring.current(passwordScope);
    const next = await keyring.renew(passwordScope, nextOpener(options));
    const anew = new Map<Encoded, Encoded>();
    await context.rewrite(TAG, (value) => {
      const envelope = parseEnvelope(value.body);
      if (envelope?.id !== old.id) return undefined;
      // A pending update has the ciphertexts of what it leaves as it was: they stay the same, and so does its token.
      const known = anew.get(envelope.sealed);
      const content = unlock(old, envelope, value);
      if (!content) throw unreadable(value);
      const locked = known ?? lock(next, content, value);
      anew.set(envelope.sealed, locked);
      count = anew.size;
      return locked;
    });
  });
  return count;
}

/** Undefined: the present one stays. */
function nextOpener({ newPassword, newKey }: RotationOptions): Opener | undefined {
  return openerIn({ password: newPassword, key: newKey });
}

interface Rotation {
  readonly context: StateContext;
  readonly keyring: Keyring;
  readonly passwordScope: PasswordScope;
}

/** @param run loads the state once, and declares nothing */
async function change(
  run: RunWith,
  { scope = "", cost = COST, newPassword, newKey, scopePassword, scopeKey }: RotationOptions,
  work: (rotation: Rotation) => Promise<void>,
): Promise<void> {
  if (newPassword === "") throw new EngineError("INVALID_OPTION", 'Option "newPassword" must not be empty.');
  if (newPassword !== undefined && newKey !== undefined) {
    throw new EngineError("INVALID_OPTION", 'Options "newPassword" and "newKey" exclude each other.');
  }
  checkOptions({ key: newKey });
  checkOptions({ key: scopeKey });
  const next = nextOpener({ newPassword, newKey });
  if (next) checkOpener(next);
  const scopeOpener = scope === "" ? undefined : openerIn({ password: scopePassword, key: scopeKey });
  const rotation = definePlugin({
    name: "rotation",
    apply({ hooks, warn }) {
      let key: StageKey | undefined;
      hooks.stateKey.tap("rotation", (context) => {
        // What is given for a scope alone does not seal the state.
        const passwordScope = scope === "" || scopeOpener ? stageHome(context) : undefined;
        key = stageKeyFor(context, { cost, erases: false, passwordScope, warn, accepts: () => false });
        return key;
      });
      hooks.redact.tap("rotation", ({ text }) => ({ text: redactor.redact(text) }));
      hooks.stateLoaded.tapPromise("rotation", async (context) => {
        const { chain } = context.scope;
        const fqn = scope === "" ? chain.join("/") : `${chain.join("/")}/${scope}`;
        const opener = scopeOpener ?? openerOf(context.scope);
        if (!opener) {
          throw new EngineError(
            "PASSWORD_REQUIRED",
            `The present password or key of "${fqn}" is needed: pass { password } or { key }, or set ENGINE_PASSWORD or ENGINE_KEY.`,
          );
        }
        checkOpener(opener);
        if (context.isSealed && !key?.isGiven) throw bothNeeded(fqn, chain.join("/"));
        const passwordScope = { path: `/${scope}`, fqn, opener };
        const keyring = new Keyring(context.keep(NAME), cost);
        if (key?.dataKey) keyring.know(key.dataKey);
        await work({ context, keyring, passwordScope });
      });
    },
  });
  // First what an earlier run could not record: it is locked away by what opens it at present, under the present key.
  if (scope === "") await run(secrets({ cost }));
  await run(rotation);
}

function bothNeeded(fqn: string, stage: string): EngineError {
  return new EngineError(
    "PASSWORD_REQUIRED",
    `The state of "${stage}" is sealed with a password or key of its own, which is needed to change that of "${fqn}": pass it as password or key, and the present one of the scope as scopePassword or scopeKey (ENGINE_SCOPE_PASSWORD, ENGINE_SCOPE_KEY).`,
    { fqn },
  );
}
