/** The data keys of a stage: random, recorded with its state, each wrapped with a password or key. */

import { EngineError, uuid } from "../../core/base/index.js";
import type { Encoded, PluginState, Sealer } from "../../core/contract/index.js";
import { type Derivation, deriveKey, keepKey, newDerived, parseDerivation } from "./derivation.js";
import type { DataKey } from "./envelope.js";
import { decrypt, encrypt, expand, extract, fromBase64, hmacText, newKey, toBase64 } from "./envelope.js";
import type { KeptKeys } from "./kept-keys.js";
import { nameOfOpener, type Opener } from "./opener.js";
import type { PasswordScope } from "./password.js";

/** Path of the scope whose key seals the state. */
export const STAGE = "/";

/** The recorded form, under the path of the scope whose password or key opens it. */
interface WrappedKey {
  readonly id: string;
  readonly kdf: Derivation;
  /** The data key, encrypted, in base64. */
  readonly wrapped: string;
}

export class Keyring {
  readonly #state: PluginState;
  readonly #cost: number;
  readonly #kept: KeptKeys | undefined;
  readonly #scopes = new Map<string, PasswordScope>();
  readonly #open = new Map<string, DataKey>();
  /** Open keys for new ciphertexts, by the path of their scope. */
  readonly #current = new Map<string, DataKey>();
  readonly #opening = new Map<string, Promise<DataKey>>();

  /**
   * @param cost of scrypt for new keys
   * @param kept derived keys of earlier processes
   */
  constructor(state: PluginState, cost: number, kept?: KeptKeys) {
    this.#state = state;
    this.#cost = cost;
    this.#kept = kept;
  }

  /** Remembers the opener of a scope: records may need it although the scope is not open. */
  meet(scope: PasswordScope): void {
    this.#scopes.set(scope.path, scope);
  }

  /** Adds an open key if it is the recorded one. */
  know(key: DataKey): void {
    if (this.#recorded(key.path)?.id !== key.id) return;
    this.#open.set(key.id, key);
    this.#current.set(key.path, key);
  }

  /** Seals the state from the next line on, with the recorded key of the stage or a new one. */
  async seal(scope: PasswordScope): Promise<void> {
    const recorded = this.#state.get(STAGE);
    if (recorded === undefined) await this.renew(scope);
    else this.#state.set(STAGE, recorded, (await this.current(scope)).sealer);
  }

  has(path: string): boolean {
    return this.#state.get(path) !== undefined;
  }

  get paths(): readonly string[] {
    return this.#state.keys;
  }

  /** Returns the key for new ciphertexts; makes one if none is recorded. @throws EngineError `WRONG_PASSWORD` */
  current(scope: PasswordScope): DataKey | Promise<DataKey> {
    const known = this.#current.get(scope.path);
    if (known) return known;
    this.meet(scope);
    const recorded = this.#recorded(scope.path);
    return this.#once(scope.path, () => (recorded ? this.#unlock(scope, recorded) : this.renew(scope)));
  }

  /** Returns a key that is already open. */
  opened(id: string): DataKey | undefined {
    return this.#open.get(id);
  }

  /** Returns undefined if no such key is recorded. @throws EngineError `PASSWORD_REQUIRED`, `WRONG_PASSWORD` */
  byId(id: string, what: string, fqn: string): DataKey | Promise<DataKey> | undefined {
    const open = this.#open.get(id);
    if (open) return open;
    const path = this.paths.find((one) => this.#recorded(one)?.id === id);
    if (path === undefined) return undefined;
    const scope = this.#scopes.get(path);
    if (scope) return this.current(scope);
    const opener = this.#recorded(path)?.kdf.name === "scrypt" ? "password" : "key";
    const where =
      path === "/"
        ? `Set ENGINE_${opener.toUpperCase()} or pass { ${opener} } to engine().`
        : `Pass the ${opener} of the scope "${path.slice(1)}", with which the secret is encrypted: engine.run(name, { ${opener} }, fn).`;
    throw new EngineError("PASSWORD_REQUIRED", `${what} needs a ${opener}. ${where}`, { fqn });
  }

  /** Wraps the same data key with another password or key. */
  async rewrap(scope: PasswordScope, opener: Opener): Promise<void> {
    const recorded = this.#recorded(scope.path);
    if (!recorded) return;
    const key = await this.#unwrapped(scope, recorded);
    this.#state.set(scope.path, await this.#wrapped({ ...scope, opener }, recorded.id, key));
  }

  /** Makes a new data key; it replaces the present one. */
  async renew(scope: PasswordScope, opener = scope.opener): Promise<DataKey> {
    const key = newKey();
    const id = uuid();
    const recorded = await this.#wrapped({ ...scope, opener }, id, key);
    const open = this.#opened(scope.path, id, key);
    this.#state.set(scope.path, recorded, scope.path === STAGE ? open.sealer : undefined);
    return open;
  }

  forget(): void {
    for (const path of this.paths) this.#state.set(path, undefined);
    this.#open.clear();
    this.#current.clear();
    this.#opening.clear();
  }

  #once(path: string, make: () => Promise<DataKey>): Promise<DataKey> {
    const underWay = this.#opening.get(path);
    if (underWay !== undefined) return underWay;
    const opening = make();
    this.#opening.set(path, opening);
    return opening;
  }

  async #unlock(scope: PasswordScope, recorded: WrappedKey): Promise<DataKey> {
    return this.#opened(scope.path, recorded.id, await this.#unwrapped(scope, recorded));
  }

  async #wrapped(scope: PasswordScope, id: string, key: Buffer): Promise<Encoded> {
    const { derivation: kdf, key: wrapping } = await newDerived(scope.opener, this.#cost, "wrap");
    const wrapped = toBase64(encrypt(wrapping, key, this.#boundTo(scope, id, kdf)));
    if (this.#kept) await keepKey(scope.opener, kdf, this.#kept);
    return { id, kdf: { ...kdf }, wrapped };
  }

  async #unwrapped(scope: PasswordScope, { id, kdf, wrapped }: WrappedKey): Promise<Buffer> {
    const wrapping = await deriveKey(scope.opener, kdf, "wrap", this.#kept);
    const key = wrapping && decrypt(wrapping, fromBase64(wrapped) ?? Buffer.alloc(0), this.#boundTo(scope, id, kdf));
    if (key) {
      if (this.#kept) await keepKey(scope.opener, kdf, this.#kept);
      return key;
    }
    const opener = nameOfOpener(scope.opener);
    const isOther = (kdf.name === "scrypt") !== (opener === "password");
    const needed = isOther === (opener === "password") ? "key" : "password";
    const why = isOther
      ? `"${scope.fqn}" was given a ${opener}, but its secrets are encrypted with a ${needed}.`
      : `The ${opener} of "${scope.fqn}" is wrong: it does not decrypt the recorded secrets.`;
    throw new EngineError(
      "WRONG_PASSWORD",
      `${why} Nothing was changed. Pass the ${needed} that the secrets were encrypted with. If you are sure that your ${opener} is right, the state may have been changed: restore an earlier copy ("engine state history" lists the copies). Only if the ${needed} is lost, erase all recorded secrets: pass { eraseSecrets: true, force: true } (--erase-secrets --force).`,
      { fqn: scope.fqn },
    );
  }

  #opened(path: string, id: string, key: Buffer): DataKey {
    const { lineage } = this.#state;
    const extracted = extract(key);
    const known = new Map<string, Buffer>();
    const of = (owner: string): Buffer => {
      const made = known.get(owner) ?? expand(extracted, `scope-engine values of ${owner}`);
      if (known.size >= MOST_SUBKEYS) known.clear();
      known.set(owner, made);
      return made;
    };
    const sealing = expand(extracted, "scope-engine seal of the state");
    const sealer: Sealer = { mac: (text) => hmacText(sealing, text) };
    const open = { id, lineage, path, of, sealer };
    this.#open.set(id, open);
    this.#current.set(path, open);
    return open;
  }

  #boundTo({ path }: PasswordScope, id: string, kdf: Derivation): Buffer {
    const how = kdf.name === "scrypt" ? [kdf.n, kdf.r, kdf.p, kdf.salt] : [kdf.name, "file" in kdf ? kdf.file : null];
    return Buffer.from(JSON.stringify(["scope-engine data key", 1, this.#state.lineage, path, id, ...how]));
  }

  #recorded(path: string): WrappedKey | undefined {
    const value = this.#state.get(path);
    return value === undefined ? undefined : parseRecorded(value);
  }
}

/** Returns the derivation of a recorded key; undefined if there is none, or it is damaged. */
export function derivationIn(value: Encoded | undefined): Derivation | undefined {
  try {
    return value === undefined ? undefined : parseRecorded(value).kdf;
  } catch {
    return undefined;
  }
}

/** The key of one owner is needed a few times in a row. */
const MOST_SUBKEYS = 10_000;

function parseRecorded(value: Encoded): WrappedKey {
  const { id, kdf, wrapped }: Partial<Record<keyof WrappedKey, unknown>> = Object(value);
  if (typeof id === "string" && typeof wrapped === "string") return { id, kdf: parseDerivation(kdf), wrapped };
  throw new EngineError(
    "STATE_CORRUPT",
    `The recorded key that decrypts the secrets is damaged. Restore the state from its history: "engine state history" lists the copies.`,
  );
}
