/** Hashes of what is in a package, in the two forms that lock files have: `h1:` of the unpacked files, `zh:` of the archive. */
import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes that are read at a time. */
const BLOCK = 256 * 1024;

/** SHA-256 of a file, in hexadecimal. Each start of a provider waits for it, and a stream takes five times as long. */
async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(BLOCK);
  const file = await open(path);
  try {
    let { bytesRead } = await file.read(block);
    while (bytesRead > 0) {
      hash.update(block.subarray(0, bytesRead));
      ({ bytesRead } = await file.read(block));
    }
  } finally {
    await file.close();
  }
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
async function filesIn(folder: string): Promise<readonly string[]> {
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
