/** The package as users get it: packed, and installed into an empty project. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../house/project.ts";
import { installPackage } from "../package/consumer.ts";

/** Undefined: there is something to pack. "npm test" builds first. */
export function unpackable(): string | undefined {
  return existsSync(join(root, "dist/plugins/cli/main.js")) ? undefined : "the package is not built (npm run build)";
}

export async function installPacked(): Promise<{
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  const { folder, remove } = await installPackage();
  return { settings: { TEST_PACKED: join(folder, "node_modules") }, stop: remove };
}
