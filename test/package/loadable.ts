import { manifest, packageEntries } from "../house/package-exports.ts";
import { sourceFiles } from "../house/project.ts";

/** All entries of the package: none needs another package to be loaded. */
export const loadable = packageEntries(manifest(), sourceFiles());
