/** Decodes values of Alchemy's state: `@secret`, `@date`, `@buffer` and other marked objects. */
import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { Sensitive } from "../contract.js";
import { secretJson, unmarked } from "../exact-json.js";
import { refused } from "../failure.js";
import { isMembers } from "../members.js";
import { openSealed, TAG } from "../open-sealed.js";

/** Marks members of an output that belong to Alchemy itself. */
const OWN = /^Symbol\(.*\)$/;

/** Alchemy's settings of scrypt. */
const [KEY_LENGTH, SETTINGS] = [32, { N: 16_384, r: 8, p: 1 }];

export class Values {
  readonly #place: string;
  readonly #passphrase: string | undefined;

  constructor(place: string, passphrase: string | undefined) {
    this.#place = place;
    this.#passphrase = passphrase;
  }

  /**
   * Returns a value without Alchemy's own members. Secrets are {@link Sensitive}.
   *
   * @throws EngineError `IMPORT_REFUSED` for a secret that the passphrase does not decrypt
   */
  async decoded(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.decoded(one)));
    if (!isMembers(value)) return unmarked(value);
    if (Object.hasOwn(value, "@secret")) return new Sensitive(await this.#secret(value["@secret"]));
    if (typeof value["@date"] === "string") return this.#date(value["@date"]);
    if (typeof value["@buffer"] === "string") return new Uint8Array(Buffer.from(value["@buffer"], "base64"));
    if (Object.hasOwn(value, "@schema")) return unmarked(value["@schema"]);
    if (Object.hasOwn(value, "@symbol") || Object.hasOwn(value, "@scope")) return undefined;
    const entries = Object.entries(value).filter(([name]) => !OWN.test(name));
    const decoded = await Promise.all(entries.map(async ([name, one]) => [name, await this.decoded(one)] as const));
    return Object.fromEntries(decoded.filter(([, one]) => one !== undefined));
  }

  #date(text: string): Date {
    const date = new Date(text);
    if (Number.isNaN(date.valueOf()))
      throw refused(this.#place, `holds a date that is not one: ${JSON.stringify(text)}.`);
    return date;
  }

  async #secret(sealed: unknown): Promise<unknown> {
    if (isMembers(sealed) && Object.hasOwn(sealed, "data"))
      return unmarked(secretJson(await this.#decrypted(sealed.data), this.#place));
    return this.#decrypted(sealed);
  }

  async #decrypted(sealed: unknown): Promise<string> {
    const { version, ciphertext, iv, salt, tag } = isMembers(sealed) ? sealed : {};
    if (typeof sealed === "string")
      throw refused(this.#place, "has secrets in the format of an old Alchemy. Deploy once with Alchemy 0.94.");
    const parts = [ciphertext, iv, salt, tag].map(bytesIn);
    const [data, nonce, salted, mac] = parts;
    if (version !== "v1" || !data || !nonce || !salted || mac?.length !== TAG)
      throw refused(this.#place, "is damaged: a secret is malformed.");
    if (this.#passphrase === undefined)
      throw refused(this.#place, "holds secrets. Set ENGINE_IMPORT_PASSPHRASE to the password of the Alchemy app.");
    const key = await derived(this.#passphrase, salted);
    try {
      return openSealed(key, { nonce, data, tag: mac });
    } catch (error) {
      throw refused(this.#place, "holds secrets that the password in ENGINE_IMPORT_PASSPHRASE does not decrypt.", {
        cause: error,
      });
    }
  }
}

function derived(passphrase: string, salt: Buffer): Promise<Buffer> {
  return promisify((done: (error: Error | null, key: Buffer) => void) =>
    scrypt(passphrase, salt, KEY_LENGTH, SETTINGS, done),
  )();
}

function bytesIn(value: unknown): Buffer | undefined {
  return typeof value === "string" ? Buffer.from(value, "base64") : undefined;
}
