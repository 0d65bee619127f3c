/** Finds modules by the full set of rules. Built into its own file, which is loaded on demand. */
import fs from "node:fs";
import enhanced from "enhanced-resolve";

/** @returns a function that finds the absolute path of a request in a folder; undefined if nothing is found */
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
