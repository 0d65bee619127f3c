/** Decodes values of Pulumi's state: secrets, assets, references to resources, and integers. */
import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { Sensitive } from "../contract.js";
import { secretJson, unmarked } from "../exact-json.js";
import { refused } from "../failure.js";
import { isMembers, type Members } from "../members.js";
import { openSealed, TAG } from "../open-sealed.js";

/** Member that marks a special value. */
const MARK = "4dabf18193072939515e22adb298388d";

const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const INTEGER = "7eb310220ed6211bd6f147f2a75bfbb6";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Settings of the key from a passphrase. */
const [ITERATIONS, KEY_LENGTH] = [1_000_000, 32];

const EXPORT = "pulumi stack export --show-secrets | engine import -";

export class Values {
  readonly #place: string;
  readonly #key: Buffer | undefined;

  private constructor(place: string, key?: Buffer) {
    this.#place = place;
    this.#key = key;
  }

  /**
   * @param provider `secrets_providers` of the deployment
   * @throws EngineError `IMPORT_REFUSED` for another passphrase
   */
  static async of(provider: unknown, place: string, passphrase: string | undefined): Promise<Values> {
    const { type, state } = isMembers(provider) ? provider : {};
    const salt = isMembers(state) ? state.salt : undefined;
    if (type !== "passphrase" || typeof salt !== "string" || passphrase === undefined) return new Values(place);
    const [version, base64 = "", ...check] = salt.split(":");
    if (version !== "v1" || check.length !== 3)
      throw refused(place, "is damaged: the salt of its secrets is malformed.");
    const key = await promisify(pbkdf2)(passphrase, Buffer.from(base64, "base64"), ITERATIONS, KEY_LENGTH, "sha256");
    const values = new Values(place, key);
    values.#decrypted(check.join(":"));
    return values;
  }

  /** Secrets are {@link Sensitive}. @throws EngineError `IMPORT_REFUSED` for a secret without its key */
  decoded(value: unknown): unknown {
    if (value === UNKNOWN)
      throw refused(this.#place, "holds a value that Pulumi did not know yet. Run pulumi up once.");
    if (Array.isArray(value)) return value.map((one) => this.decoded(one));
    if (!isMembers(value)) return unmarked(value);
    switch (value[MARK]) {
      case undefined:
        return this.#members(Object.entries(value));
      case SECRET:
        return new Sensitive(this.#secret(value));
      case RESOURCE:
        return unmarked(value.id ?? value.urn);
      case INTEGER:
        return integerIn(unmarked(value.value));
      default:
        // Assets and archives: only a text or a place of it is recorded.
        return value[MARK] === ASSET
          ? unmarked(value.text ?? value.path ?? value.uri)
          : unmarked(value.path ?? value.uri);
    }
  }

  /**
   * Returns the inputs or outputs of a resource, without those of Pulumi and its providers, which begin with two
   * underscores, such as `__meta`.
   */
  ownMembers(value: unknown): Members {
    const all = Object.entries(isMembers(value) ? value : {});
    return this.#members(all.filter(([name]) => !name.startsWith("__") || name === "__proto__"));
  }

  /** Only `__defaults` may be in any object. Other names that begin so are keys that a user chose. */
  #members(all: readonly (readonly [string, unknown])[]): Members {
    const own = all.filter(([name, one]) => name !== "__defaults" || !Array.isArray(one));
    return Object.fromEntries(own.map(([name, one]) => [name, this.decoded(one)]));
  }

  #secret({ plaintext, ciphertext }: Members): unknown {
    if (typeof plaintext === "string") return this.#secretIn(plaintext);
    if (typeof ciphertext !== "string") throw refused(this.#place, "is damaged: a secret is malformed.");
    if (!this.#key) {
      const how = "Set ENGINE_IMPORT_PASSPHRASE to the passphrase of the stack if it has one. Otherwise";
      throw refused(this.#place, `holds encrypted secrets. ${how} run: ${EXPORT}`);
    }
    return this.#secretIn(this.#decrypted(ciphertext));
  }

  #secretIn(json: string): unknown {
    return this.decoded(secretJson(json, this.#place));
  }

  #decrypted(text: string): string {
    const [version, nonce = "", sealed = ""] = text.split(":");
    const data = Buffer.from(sealed, "base64");
    if (!this.#key || version !== "v1" || data.length < TAG)
      throw refused(this.#place, "is damaged: a secret is malformed.");
    const iv = Buffer.from(nonce, "base64");
    if (iv.length === 0) throw refused(this.#place, "is damaged: a secret is malformed.");
    try {
      return openSealed(this.#key, { nonce: iv, data: data.subarray(0, -TAG), tag: data.subarray(-TAG) });
    } catch (error) {
      throw refused(this.#place, "cannot be decrypted with the passphrase in ENGINE_IMPORT_PASSPHRASE.", {
        cause: error,
      });
    }
  }
}

/** Returns the digits of an integer that JavaScript would round. */
function integerIn(value: unknown): unknown {
  const text = String(value);
  return String(Number(text)) === text ? Number(text) : text;
}
