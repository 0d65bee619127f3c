import { manifest, packageEntries } from "../house/package-exports.ts";
import { sourceFiles } from "../house/project.ts";

/** All entries of the package but the one that is there for programs which have its package. */
export const loadable = packageEntries(manifest(), sourceFiles()).filter(
  ({ source }) => source !== "plugins/open-telemetry/index.ts",
);
