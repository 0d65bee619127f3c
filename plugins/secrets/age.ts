/** Identities of age (age-encryption.org): a stage made under one has a key in a file of age, which that identity opens. */

import { EngineError, isMissing, messageOf, packageMissing, platform } from "../../core/base/index.js";
import { KEY_BYTES } from "./cipher.js";

type Age = typeof import("age-encryption");
const PACKAGE = "age-encryption";

async function load(): Promise<Age> {
  try {
    return await import("age-encryption");
  } catch (error) {
    throw isMissing(error, PACKAGE) ? packageMissing(PACKAGE, error) : error;
  }
}

/** A file with a new random key. @throws EngineError `KEY_INVALID`, `PACKAGE_MISSING` */
export async function newFile(identity: string): Promise<{ readonly file: Buffer; readonly key: Buffer }> {
  const { Encrypter, identityToRecipient } = await load();
  const key = platform().randomBytes(KEY_BYTES);
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity).catch(refuse));
  return { file: Buffer.from(await encrypter.encrypt(key)), key };
}

/** The key in a file; undefined where another identity opens it, or none. @throws EngineError `KEY_INVALID`, `PACKAGE_MISSING` */
export async function keyIn(file: Uint8Array, identity: string): Promise<Buffer | undefined> {
  const { Decrypter } = await load();
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (error) {
    return refuse(error);
  }
  try {
    return Buffer.from(await decrypter.decrypt(file));
  } catch {
    return undefined; // Not its file, or not as it was written: it says so in words alone.
  }
}

function refuse(cause: unknown): never {
  throw new EngineError("KEY_INVALID", `The identity of age is not whole, or has a slip in it: ${messageOf(cause)}.`, {
    cause,
  });
}
