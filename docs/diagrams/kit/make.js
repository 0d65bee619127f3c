/**
 * Draws the diagrams: each `docs/diagrams/NAME.js` becomes `NAME.svg` beside it.
 *
 *   node docs/diagrams/kit/make.js
 */
import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diagram } from "./draw.js";

const folder = new URL("../", import.meta.url);

/** The diagrams that there are, by their names. */
export const names = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -".js".length));

export async function drawn(name) {
  const { picture } = await import(new URL(`${name}.js`, folder));
  return diagram(picture);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of names) writeFileSync(new URL(`${name}.svg`, folder), await drawn(name));
}
