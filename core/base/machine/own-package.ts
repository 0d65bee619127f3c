/** The package that this code is part of, whether it runs from its sources or as it was built. */
import { readFileSync } from "node:fs";

interface OwnPackage {
  readonly version: string;
  readonly root: URL;
  /** Where its code is, as stacks have it: with or without `file://`. */
  readonly folders: readonly string[];
}

/** Of sources, and of what is built of them. */
const CODE = ["core/", "plugins/", "adapters/", "dist/"];

let known: OwnPackage | undefined;

export function ownVersion(): string {
  known ??= find();
  return known.version;
}

/** A file of the package, by its path below the package's root. */
export function ownFile(path: string): URL {
  known ??= find();
  return new URL(path, known.root);
}

/** True for a line of a stack that is this package's own. */
export function isOwnCode(frame: string): boolean {
  known ??= find();
  return known.folders.some((folder) => frame.includes(folder));
}

function find(): OwnPackage {
  // A bundler that makes CommonJS leaves nothing of it: `{}`.
  const here: string | undefined = import.meta.url;
  if (here === undefined) return { version: "0.0.0", root: new URL("file:///"), folders: [] };
  for (const up of ["../", "../../", "../../../"]) {
    const place = new URL(up, here);
    try {
      const { name, version } = JSON.parse(readFileSync(new URL("package.json", place), "utf8"));
      const folders = CODE.map((folder) => new URL(folder, place).pathname);
      if (name === "scope-engine") return { version: String(version), root: place, folders };
    } catch {
      // Sources and what is built of them stand at different depths below the package's root.
    }
  }
  return { version: "0.0.0", root: new URL("./", here), folders: [] };
}
