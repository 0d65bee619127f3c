/** Source that opens an app: a program that opens none is refused. */
export const OPENED =
  '\nimport { engine as opened } from "scope-engine"; await (await opened("opened", { quiet: true })).finalize();';
