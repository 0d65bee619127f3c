/**
 * Which test files are pure: they touch nothing but their own objects, so that many of them can share one thread. Found out
 * from what a file says, and what the files of test/ say that it imports.
 */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** What belongs to a process, or to the machine. */
const IMPURE: readonly RegExp[] = [
  /"node:(?!assert|async_hooks|buffer|crypto|events|path|timers|url|util)[\w/]+"/,
  /\bprocess\.(?!cwd\(|env\.(CI|LONG|SEED)\b|hrtime|nextTick|version)/,
  /\bvi\./,
  /\bglobalThis\b|\bglobal\./,
  /"(?:\.\.?\/)+(?:adapters|servers|plugins\/cli)\//,
  // What one has been is struck out of all texts of the process from then on.
  /\bnew Secret\b|\.secret\(/,
  /"(?:\.\.?\/)+helpers\/gc\.js"/,
  // A package of somebody else may do anything when it is loaded.
  /from "(?!node:|\.|vitest"|fast-check")/,
];

/** They look into a folder, or start a process, that is their own and nobody else's. */
const HARMLESS: readonly string[] = ["test/helpers/gate.ts", "test/helpers/ledgers.ts"];

const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

/** Why a file is not pure, as "FILE: TEXT"; undefined where it is. */
export function impurity(file: string, read: (file: string) => string, seen = new Set<string>()): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const text = withoutComments(read(file));
  for (const pattern of HARMLESS.includes(file) ? [] : IMPURE) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return `${file}: ${found}`;
  }
  for (const [, specifier = ""] of text.matchAll(RELATIVE)) {
    const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts");
    const reason = target.startsWith("test/") ? impurity(target, read, seen) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Paths from the root of all test files below test/ that are pure. */
export function pureFiles(root: string): string[] {
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(root + file, "utf8");
    texts.set(file, text);
    return text;
  };
  return readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
    .map((file) => `test/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".test.ts") && impurity(file, read) === undefined)
    .sort();
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}
