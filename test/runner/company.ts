/**
 * Which test files share a thread or a process with others, so that the engine is loaded once for all of them. Found out from
 * what a file says, and what the files of test/ say that it imports.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** `pure`: it touches nothing but its own objects. `shared`: files, servers and processes of its own as well. */
export type Company = "pure" | "shared" | "isolated";

/** What belongs to a process as a whole. */
const OF_THE_PROCESS: readonly RegExp[] = [
  // Not what only looks at it; and much of it stands in the texts of programs that are started.
  /(?<![.#])\bprocess\.(?!argv\.(?:slice|includes)\b|argv\[\d\](?! = )|cpuUsage\b|cwd\(|eventNames\(|exit\(|hrtime|kill\(|listenerCount\(|memoryUsage\b|nextTick|off\(|on\(|version|(?:arch|execPath|getuid|pid|platform|ppid)\b(?! = )|std(?:err|out)\.write\(|stdin\.resume\(|env\b(?!(?:\.\w+|\[[^\]]+\])? = ))/,
  // What listens until it is told not to does no harm.
  /(?<![.#])\bprocess\.on\((?![\s\S]*\bprocess\.off\()/,
  /\bdelete process\.|\bassign\(process\.|\bdefineProperty\(process\b/,
  // Stubs, spies and a clock of a test's own are taken back before the next file.
  /\bvi\.(?!fn\b|waitFor\b|spyOn\b|restoreAllMocks\b|stubEnv\b|unstubAllEnvs\b|use(?:Fake|Real)Timers\b|advanceTimers|runAllTimers|getTimerCount\b)/,
  /\bglobalThis\b|\bglobal\./,
  /\b(?:createHook|enterWith|registerHooks|syncBuiltinESMExports)\b/,
  /"node:(?:cluster|diagnostics_channel|inspector|perf_hooks|process|repl|test|tty|v8|worker_threads)[\w/]*"/,
  /"(?:\.\.?\/)+helpers\/gc\.js"/,
];

/** What belongs to the machine, and whatever somebody else's package does when it is loaded. */
const OF_THE_MACHINE: readonly RegExp[] = [
  /"node:(?!assert|async_hooks|buffer|crypto|events|path|timers|url|util)[\w/]+"/,
  /\bprocess\.(?:pid|execPath|platform|kill)\b/,
  /"(?:\.\.?\/)+(?:adapters|servers|plugins\/cli)\//,
  /from "(?!node:|\.|vitest"|fast-check")/,
];

/** They look into a folder, or start a process, that is their own and nobody else's. */
const HARMLESS: readonly string[] = ["test/helpers/gate.ts", "test/helpers/ledgers.ts"];

/** What they name of a process stands in texts of theirs. */
const IN_TEXTS: readonly string[] = [
  "test/e2e/watch-end.test.ts",
  "test/house/clock.test.ts",
  "test/house/exit-codes-doc.test.ts",
  "test/package/loading.matrix.test.ts",
  "test/package/silence.matrix.test.ts",
  "test/plugins/processes/process-log.test.ts",
  "test/recording/desk.ts",
];

/** They read the environment, or add to it where the servers of the run are: the same for all. What else they do, they undo. */
const AGREED: readonly string[] = [
  "test/bench/peers.ts",
  "test/e2e/example-site.ts",
  "test/helpers/child-program.ts",
  "test/helpers/cli-session.ts",
  "test/helpers/compiled-program.ts",
  "test/helpers/derivations.ts",
  "test/helpers/engine-project.ts",
  "test/helpers/remote-stores.ts",
  "test/helpers/s3-store.ts",
  "test/package/given-packed.ts",
  "test/servers/given.ts",
  "test/servers/given-redis.ts",
  "test/servers/given-s3.ts",
  "test/servers/given-swift.ts",
  "test/servers/premises.ts",
];

const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

type Read = (file: string) => string;

/** Why a file must not share a thread with others, as "FILE: TEXT"; undefined where it may. */
export function impurity(file: string, read: Read): string | undefined {
  return found(file, [...OF_THE_PROCESS, ...OF_THE_MACHINE], HARMLESS, read);
}

/** Why a file must have a process of its own, as "FILE: TEXT"; undefined where it need not. */
export function isolation(file: string, read: Read): string | undefined {
  return found(file, OF_THE_PROCESS, [...HARMLESS, ...IN_TEXTS, ...AGREED], read);
}

function found(
  file: string,
  patterns: readonly RegExp[],
  allowed: readonly string[],
  read: Read,
  seen = new Set<string>(),
): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const text = withoutComments(read(file));
  for (const pattern of allowed.includes(file) ? [] : patterns) {
    const [first] = pattern.exec(text) ?? [];
    if (first !== undefined) return `${file}: ${first}`;
  }
  for (const [, specifier = ""] of text.matchAll(RELATIVE)) {
    const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts");
    const reason = target.startsWith("test/") ? found(target, patterns, allowed, read, seen) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A program that stands in a text of a test may import what is not there: that is empty. */
export function reader(root: string): Read {
  const texts = new Map<string, string>();
  return (file) => {
    const text = texts.get(file) ?? (existsSync(root + file) ? readFileSync(root + file, "utf8") : "");
    texts.set(file, text);
    return text;
  };
}

/** Paths from the root of all test files below test/, by the company that they can be in. */
export function testFiles(root: string): Readonly<Record<Company, readonly string[]>> {
  const read = reader(root);
  const files: Record<Company, string[]> = { pure: [], shared: [], isolated: [] };
  for (const name of readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })) {
    const file = `test/${name.replaceAll("\\", "/")}`;
    if (!file.endsWith(".test.ts")) continue;
    if (impurity(file, read) === undefined) files.pure.push(file);
    else files[isolation(file, read) === undefined ? "shared" : "isolated"].push(file);
  }
  for (const list of Object.values(files)) list.sort();
  return files;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}
