/** Signatures in OpenPGP. */
import { isMissing, messageOf, packageMissing } from "../../../core/base/index.js";

export type Signed = { readonly by: string } | { readonly problem: string };

const PACKAGE = "openpgp";

/** @throws EngineError `PACKAGE_MISSING` */
async function loadOpenPgp(): Promise<typeof import("openpgp")> {
  try {
    return await import("openpgp");
  } catch (error) {
    throw isMissing(error, PACKAGE) ? packageMissing(PACKAGE, error) : error;
  }
}

/**
 * Which of the keys has signed the bytes: its id, in hexadecimal.
 *
 * @param signature detached, binary or armored
 * @param keys armored
 */
export async function signedBy(bytes: Uint8Array, signature: Buffer, keys: readonly string[]): Promise<Signed> {
  const openpgp = await loadOpenPgp();
  try {
    const known = (await Promise.all(keys.map((armoredKeys) => openpgp.readKeys({ armoredKeys })))).flat();
    const isArmored = signature.subarray(0, 5).toString("latin1") === "-----";
    const read = isArmored
      ? await openpgp.readSignature({ armoredSignature: signature.toString("latin1") })
      : await openpgp.readSignature({ binarySignature: signature });
    const message = await openpgp.createMessage({ binary: bytes });
    const { signatures } = await openpgp.verify({ message, signature: read, verificationKeys: known });
    const problems: string[] = [];
    for (const { keyID, verified } of signatures) {
      const problem = await verified.then(() => undefined, messageOf);
      if (problem === undefined) return { by: keyID.toHex() };
      problems.push(problem);
    }
    return { problem: problems.join("; ") || "there is no signature in it" };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
