/** Hashes of what is in a package, in the two forms that lock files have: `h1:` of the unpacked files, `zh:` of the archive. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** SHA-256 of a file, in hexadecimal. */
async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

export async function archiveHash(path: string): Promise<string> {
  return `zh:${await fileSha256(path)}`;
}

/** `h1:`: the hash over a list of the files, a line each with hash and name, by names. */
export async function contentHash(folder: string): Promise<string> {
  const list = createHash("sha256");
  for (const name of await filesIn(folder)) list.update(`${await fileSha256(join(folder, name))}  ${name}\n`);
  return `h1:${list.digest("base64")}`;
}

/** Names of all files below a folder, sorted by their bytes, with slashes. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await visit(name);
      else names.push(name);
    }
  };
  await visit("");
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
