/** What the line that brings a key makes its own: all that was recorded before it, in one number. Pure. */
import { nodeCrypto } from "../../base/index.js";
import type { Contents } from "../change.js";
import { digestOfContents } from "../checkpoint/digest.js";
import type { Head } from "../journal/head.js";

/** SHA-256 in hexadecimal. The lines themselves are named by the digest of the last one, which the next one carries. */
export function vouchedFor({ app, stage, lineage, guards, open, version, store }: Head, contents: Contents): string {
  const head = [app, stage, lineage, guards, open, version, store].map((member) => member ?? null);
  return nodeCrypto().hash("sha256", JSON.stringify([...head, digestOfContents(contents)]), "hex");
}
