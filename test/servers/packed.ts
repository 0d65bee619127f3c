/** The package as users get it: packed, and installed into an empty project. */
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "../house/project.ts";
import { installPackage } from "../package/consumer.ts";

/** Packages that users of remote stores and other options install, too. */
export const PEERS = ["@keyv/redis", "pg", "@aws-sdk/client-s3", "@grpc/grpc-js", "@opentelemetry/api", "openpgp"];

/** Undefined if there is something to pack. "npm test" builds first. */
export function unpackable(): string | undefined {
  return existsSync(join(root, "dist/plugins/cli/main.js")) ? undefined : "the package is not built (npm run build)";
}

export async function installPacked(): Promise<{
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  const { folder, tarball, remove } = await installPackage();
  const packages = join(folder, "node_modules");
  for (const name of PEERS) {
    await mkdir(dirname(join(packages, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(packages, name), "dir");
  }
  return { settings: { TEST_PACKED: packages, TEST_TARBALL: tarball }, stop: remove };
}
