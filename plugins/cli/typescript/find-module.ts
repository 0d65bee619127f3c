/** The rules by which modules are found, all of them: built into a file of its own, which is loaded where a program needs them. */
import fs from "node:fs";
import enhanced from "enhanced-resolve";

/** @returns finds the absolute path of what a request means in a folder; undefined where there is nothing */
export function finder(
  extensions: readonly string[],
  aliases: Readonly<Record<string, readonly string[]>>,
): (folder: string, request: string) => string | undefined {
  const resolver = enhanced.ResolverFactory.createResolver({
    fileSystem: fs,
    useSyncFileSystemCalls: true,
    extensions: [...extensions],
    extensionAlias: Object.fromEntries(Object.entries(aliases).map(([name, all]) => [name, [...all]])),
    conditionNames: ["node", "import", "module-sync"],
    mainFields: ["main", "module"],
  });
  return (folder, request) => {
    try {
      return resolver.resolveSync({}, folder, request) || undefined;
    } catch {
      return undefined;
    }
  };
}
