/** Modules of files that are no code. */
import { messageOf } from "../../../core/base/index.js";
import { SourceFault } from "./compiled.js";

/** With a name for each member. @throws SourceFault */
export function jsonModule(path: string, text: string): string {
  const value = jsonIn(path, text);
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  const names = isPlain ? Object.keys(value).filter((name) => name !== "default") : [];
  return [
    `const value = ${JSON.stringify(value)};`,
    "export default value;",
    ...names.map((name, at) => {
      const quoted = JSON.stringify(name);
      return `const _${at} = value[${quoted}]; export { _${at} as ${quoted} };`;
    }),
  ].join("\n");
}

export function textModule(text: string): string {
  return `export default ${JSON.stringify(text)};`;
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(path, error);
  }
}

function notJson(path: string, error: unknown): SourceFault {
  return new SourceFault(`This is no JSON: ${messageOf(error)}`, { path, line: 1, column: 1 });
}
