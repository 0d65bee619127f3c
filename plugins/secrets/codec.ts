/** Encodes secrets for the state, and decodes them. */
import { EngineError, Later } from "../../core/base/index.js";
import {
  type DecodeContext,
  type Decoded,
  type EncodeContext,
  type Encoded,
  SECRET_TO_COME,
  type ValueContext,
} from "../../core/contract/index.js";
import { type Derivation, derivedNow, deriveKey, parseDerivation } from "./derivation.js";
import type { DataKey } from "./envelope.js";
import {
  type Content,
  contentOf,
  decrypt,
  type Envelope,
  encrypt,
  envelopeIn,
  fromBase64,
  isSame,
  lock,
  parseEnvelope,
  TAG,
  tagged,
  toBase64,
  unlock,
  unreadable,
} from "./envelope.js";
import type { Keyring } from "./keyring.js";
import type { Opener } from "./opener.js";
import { isWithin, passwordScopeOf } from "./password.js";
import { isSecret, Secret } from "./secret.js";

export class SecretCodec {
  readonly #keyring: () => Keyring | Promise<Keyring>;
  /** If true, recorded secrets count as undefined. */
  readonly #erases: () => boolean;
  /** True while the content of a secret is encoded or decoded: secrets inside it are encrypted with it. */
  #isInside = false;

  /** @param keyring a promise until the state is loaded */
  constructor(keyring: () => Keyring | Promise<Keyring>, erases: () => boolean) {
    this.#keyring = keyring;
    this.#erases = erases;
  }

  encode(context: EncodeContext): Encoded | Later<Encoded> | undefined {
    const { value } = context;
    if (value === SECRET_TO_COME) {
      if (!passwordScopeOf(context.scope))
        throw required(`The output of "${context.fqn}" contains a secret, which`, context);
      return null;
    }
    if (!isSecret(value)) return undefined;
    const { encode } = context;
    // Encode now, before any wait: the program may change the value later.
    const content = { value: this.#within(() => encode(value.unencrypted)), name: value.name };
    if (this.#isInside) return tagged({ id: "", sealed: [content.value, content.name] });
    const passwordScope = passwordScopeOf(context.scope);
    if (!passwordScope) throw required(nameOf(context), context);
    const keyring = this.#keyring();
    const key =
      keyring instanceof Promise ? keyring.then((ring) => ring.current(passwordScope)) : keyring.current(passwordScope);
    if (key instanceof Promise) return new Later(key.then((open) => this.#locked(open, content, context)));
    return this.#locked(key, content, context);
  }

  decode(context: DecodeContext): Decoded | Later<Decoded> | undefined {
    const { tag, body } = context;
    if (tag !== TAG) return undefined;
    const envelope = parseEnvelope(body);
    if (!envelope) throw unreadable(context);
    if (envelope.id === "") {
      if (this.#isInside && isContent(envelope.sealed)) return this.#opened(contentOf(envelope.sealed), context);
      throw unreadable(context);
    }
    const keyring = this.#keyring();
    return keyring instanceof Promise
      ? new Later(keyring.then((ring) => this.#read(ring, envelope, context)))
      : later(this.#read(keyring, envelope, context));
  }

  #read(keyring: Keyring, envelope: Envelope, context: DecodeContext): Decoded | Promise<Decoded> {
    const open = (key: DataKey | undefined): Decoded => {
      const content = key && isUsedIn(context, key) ? unlock(key, envelope, context) : undefined;
      if (!content) throw unreadable(context);
      return this.#opened(content, context);
    };
    // A secret that this run encrypted itself can be read.
    if (this.#erases() && keyring.opened(envelope.id) === undefined) return { value: undefined };
    const passwordScope = passwordScopeOf(context.scope);
    if (passwordScope) keyring.meet(passwordScope);
    const key = keyring.byId(envelope.id, nameOf(context), context.fqn);
    return key instanceof Promise ? key.then(open) : open(key);
  }

  /** Returns the recorded ciphertext if its value is the same: encrypting it again would make it look different. */
  #locked(key: DataKey, content: Content, context: EncodeContext): Encoded {
    for (const encoded of context.before()) {
      const envelope = envelopeIn(encoded);
      const before = envelope?.id === key.id ? unlock(key, envelope, context) : undefined;
      if (before && isSame(before, content)) return encoded;
    }
    return lock(key, content, context);
  }

  #opened({ value, name }: Content, { decode }: DecodeContext): Decoded {
    return {
      value: new Secret(
        this.#within(() => decode(value)),
        name,
      ),
    };
  }

  #within<T>(work: () => T): T {
    const before = this.#isInside;
    this.#isInside = true;
    try {
      return work();
    } finally {
      this.#isInside = before;
    }
  }
}

/** The password of one scope must not make secrets of another scope. */
function isUsedIn({ scope }: ValueContext, { path }: DataKey): boolean {
  return scope === undefined || isWithin(scope, path);
}

function later(answer: Decoded | Promise<Decoded>): Decoded | Later<Decoded> {
  return answer instanceof Promise ? new Later(answer) : answer;
}

function required(what: string, { fqn }: ValueContext): EngineError {
  const message = `${what} needs a password or a key. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().`;
  return new EngineError("PASSWORD_REQUIRED", message, { fqn });
}

function nameOf({ path, slot, fqn }: ValueContext): string {
  return `The secret at "${path}" in the ${slot} of "${fqn}"`;
}

function isContent(sealed: Encoded): sealed is readonly [Encoded, string] {
  return Array.isArray(sealed) && sealed.length === 2 && typeof sealed[1] === "string";
}

// Recovery files are encrypted with the password or key itself: when one is written, nothing can be recorded any more.

interface Sealed {
  readonly kdf: Derivation;
  /** Base64. */
  readonly text: string;
}

/** Synchronous, because the process may be about to end. */
export function sealText(opener: Opener, cost: number, text: string, bound: string): string {
  const { derivation, key } = derivedNow(opener, cost, "recovery");
  const sealed: Sealed = { kdf: derivation, text: toBase64(encrypt(key, Buffer.from(text), Buffer.from(bound))) };
  return JSON.stringify(sealed);
}

/** @throws EngineError `WRONG_PASSWORD` */
export async function unsealText(opener: Opener, sealed: string, bound: string): Promise<string> {
  const { kdf, text }: Partial<Record<keyof Sealed, unknown>> = Object(JSON.parse(sealed));
  const key = await deriveKey(opener, parseDerivation(kdf), "recovery");
  const opened = key && decrypt(key, fromBase64(text) ?? Buffer.alloc(0), Buffer.from(bound));
  if (opened) return opened.toString();
  throw new EngineError("WRONG_PASSWORD", "it was encrypted with another password or key, or it was altered");
}
