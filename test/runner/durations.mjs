/** How long each test file took the last time, in seconds: that says which ones begin, and how long a run will take. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILE = "node_modules/.cache/scope-engine-tests/durations.json";

/** Those of the longest files, as they once took: where nothing is known of a machine yet. */
export const FIRST = JSON.parse(readFileSync(new URL("first-durations.json", import.meta.url), "utf8"));

/** Empty after an installation. */
export function durationsIn(root) {
  try {
    return JSON.parse(readFileSync(join(root, FILE), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return {};
    throw error;
  }
}

export function rememberDurations(root, durations) {
  mkdirSync(dirname(join(root, FILE)), { recursive: true });
  writeFileSync(join(root, FILE), JSON.stringify({ ...durationsIn(root), ...durations }));
}
