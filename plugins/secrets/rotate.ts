/** Changes the password, the key or the data key of a stage or scope. */

import { anything, checkGiven, EngineError, number, type RulesOf, text } from "../../core/base/index.js";
import { type Encoded, INTERNALS, type Replace, type StateContext } from "../../core/contract/index.js";
import { checkOptions } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import type { RotationOptions, RunWith } from "../admin/operations/index.js";
import { lock, parseEnvelope, TAG, unlock, unreadable } from "./envelope.js";
import { secrets } from "./index.js";
import { forgetKeptKeys } from "./kept-keys.js";
import { Keyring } from "./keyring.js";
import { checkOpener, isSameOpener, nameOfOpener, type Opener, openerIn } from "./opener.js";
import { COST, openerOf, type PasswordScope } from "./password.js";
import { redactor } from "./redactor.js";
import { NAME, type StageKey, stageKeyFor, stagePasswordScope } from "./stage-key.js";

/** Returns false if the stage has no secrets. */
export async function rotate(run: RunWith, options: RotationOptions): Promise<boolean> {
  let isDone = false;
  await change("rotate", run, options, async ({ keyring, passwordScope, rewrite }) => {
    const next = nextOpener(options);
    if (!next)
      throw new EngineError("INVALID_OPTION", 'The new password or key is missing. Pass "newPassword" or "newKey".');
    if (isSameOpener(next, passwordScope.opener)) {
      const name = nameOfOpener(next);
      const message = `The new ${name} of "${passwordScope.fqn}" is the same as the current one, so nothing was changed. Choose a different ${name}.`;
      throw new EngineError("INVALID_OPTION", message, { fqn: passwordScope.fqn });
    }
    isDone = keyring.has(passwordScope.path);
    await keyring.rewrap(passwordScope, next);
    await rewrite(() => undefined);
  });
  return isDone;
}

/** Returns how many secrets were re-encrypted. */
export async function rekey(run: RunWith, options: RotationOptions): Promise<number> {
  let count = 0;
  await change("rekey", run, options, async ({ keyring, passwordScope, rewrite }) => {
    if (!keyring.has(passwordScope.path)) return;
    const old = await keyring.current(passwordScope);
    const next = await keyring.renew(passwordScope, nextOpener(options));
    const anew = new Map<Encoded, Encoded>();
    await rewrite((value) => {
      const envelope = parseEnvelope(value.body);
      if (envelope?.id !== old.id) return undefined;
      // A pending update contains the ciphertexts of values that it does not change: they stay the same, and so does
      // its token.
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

/** Returns undefined if the present one stays. */
function nextOpener({ newPassword, newKey }: RotationOptions): Opener | undefined {
  return openerIn({ password: newPassword, key: newKey });
}

interface Rotation {
  readonly keyring: Keyring;
  readonly passwordScope: PasswordScope;
  /** Records the keys and the new secrets in one entry. @throws EngineError `ABORTED` by the signal of the admin */
  rewrite(replace: Replace): Promise<void>;
}

const RULES: RulesOf<RotationOptions> = {
  newPassword: text,
  newKey: anything,
  scope: { allowed: "a text", accepts: (value) => typeof value === "string" },
  scopePassword: text,
  scopeKey: anything,
  cost: number,
};

/** @throws EngineError `INVALID_OPTION`, `KEY_INVALID` */
function checkRotation(name: string, options: RotationOptions): void {
  checkGiven(name, options, RULES);
  checkOptions({ key: options.newKey });
  checkOptions({ key: options.scopeKey });
  const { newPassword, newKey, scope, scopePassword, scopeKey } = options;
  const exclude = (one: string, other: string): EngineError =>
    new EngineError("INVALID_OPTION", `The options "${one}" and "${other}" cannot be combined. Pass only one of them.`);
  if (newPassword !== undefined && newKey !== undefined) throw exclude("newPassword", "newKey");
  if (scopePassword !== undefined && scopeKey !== undefined) throw exclude("scopePassword", "scopeKey");
  if (!scope && (scopePassword ?? scopeKey) !== undefined) {
    const message = `${name}() has the password or key of a scope, but not the scope. Pass { scope }, e.g. { scope: "tenants/acme" }.`;
    throw new EngineError("INVALID_OPTION", message);
  }
  const next = nextOpener(options);
  if (next) checkOpener(next);
}

/** @param run loads the state once and declares nothing */
async function change(
  name: string,
  run: RunWith,
  options: RotationOptions,
  work: (rotation: Rotation) => Promise<void>,
): Promise<void> {
  checkRotation(name, options);
  const { scope = "", cost = COST, scopePassword, scopeKey } = options;
  const scopeOpener = scope === "" ? undefined : openerIn({ password: scopePassword, key: scopeKey });
  /** The original error: the name of the internal plugin would mean nothing to the caller. */
  let failure: unknown;
  const rotation = definePlugin({
    name: "rotation",
    apply({ hooks, control, warn }) {
      let key: StageKey | undefined;
      hooks.stateKey.tap("rotation", (context) => {
        // A password or key of a scope alone does not seal the state.
        const passwordScope = scope === "" || scopeOpener ? stagePasswordScope(context) : undefined;
        key = stageKeyFor(context, { cost, erases: false, passwordScope, warn, accepts: () => false });
        return key;
      });
      hooks.redact.tap("rotation", ({ text }) => ({ text: redactor.redact(text) }));
      const rotateIn = async (context: StateContext): Promise<void> => {
        const stage = context.scope.chain.join("/");
        const path = pathOf(scope, stage);
        const fqn = `${stage}${path === "/" ? "" : path}`;
        const opener = scopeOpener ?? openerOf(context.scope);
        if (!opener) {
          throw new EngineError(
            "PASSWORD_REQUIRED",
            `The current password or key of "${fqn}" is missing. Pass { password } or { key }, or set ENGINE_PASSWORD or ENGINE_KEY.`,
          );
        }
        checkOpener(opener);
        if (context.isSealed && !key?.isGiven) throw bothNeeded(fqn, stage);
        const passwordScope = { path, fqn, opener };
        const keyring = new Keyring(context.keep(NAME), cost);
        if (key?.dataKey) keyring.know(key.dataKey);
        if (path !== "/" && !keyring.has(path)) throw hasNone(fqn, stage, context.keep(NAME).keys);
        const rewrite = async (replace: Replace): Promise<void> => {
          const { signal } = control.status.options ?? {};
          if (signal?.aborted)
            throw new EngineError("ABORTED", `${name}() was aborted by its signal. Nothing was changed.`, {
              cause: signal.reason,
            });
          await context.rewrite(TAG, replace);
        };
        await work({ keyring, passwordScope, rewrite });
        forgetKeptKeys(context.scope[INTERNALS].options.env ?? process.env);
      };
      hooks.stateLoaded.tapPromise("rotation", (context) =>
        rotateIn(context).catch((error: unknown) => {
          failure = error;
          throw error;
        }),
      );
    },
  });
  // First record the recovery files of earlier runs: they are locked with the present opener and use the present key.
  if (scope === "") await run(secrets({ cost }));
  await run(rotation).catch((error: unknown) => {
    throw failure ?? error;
  });
}

/** @param scope its path below the stage, or its FQN */
function pathOf(scope: string, stage: string): string {
  const path = scope.startsWith(`${stage}/`) ? scope.slice(stage.length) : scope;
  return `/${path.replaceAll(/^\/+|\/+$/g, "")}`;
}

function hasNone(fqn: string, stage: string, paths: readonly string[]): EngineError {
  const scopes = paths.filter((path) => /^\/./.test(path)).map((path) => `"${path.slice(1)}"`);
  const others =
    scopes.length > 0 ? `Scopes that have them: ${scopes.join(", ")}.` : `No scope of "${stage}" has them.`;
  const message = `"${fqn}" has no recorded secrets with a separate password or key. ${others}`;
  return new EngineError("NOT_RECORDED", message, { fqn });
}

function bothNeeded(fqn: string, stage: string): EngineError {
  return new EngineError(
    "PASSWORD_REQUIRED",
    `The state of "${stage}" is sealed, so changing the password or key of "${fqn}" needs the password or key of the stage, too. Pass the one of the stage as password or key (ENGINE_PASSWORD, ENGINE_KEY). Pass the current one of the scope as scopePassword or scopeKey (ENGINE_SCOPE_PASSWORD, ENGINE_SCOPE_KEY).`,
    { fqn },
  );
}
