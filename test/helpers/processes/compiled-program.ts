import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../house/project.ts";
import { given } from "../../servers/given.ts";

const lacks = await given("compiled");

/** Path of the compiled form of a source in test/servers/compiled.ts; compiled once for a whole run. */
export function compiledProgram(source: URL): string {
  if (lacks !== undefined) throw new Error(lacks);
  const path = relative(root, fileURLToPath(source)).replace(/\.ts$/, ".js");
  return `${process.env.TEST_COMPILED}/${path}`;
}
