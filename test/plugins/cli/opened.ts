/** What makes a program open an app: one that opens none is refused. */
export const OPENED =
  '\nimport { engine as opened } from "scope-engine"; await (await opened("opened", { quiet: true })).finalize();';
