/** The examples in comments of the API, as programs: names of the package are imported, all others are declared. */
import { manifest, packageEntries } from "../house/package-exports.ts";
import { read, sourceFiles } from "../house/project.ts";
import { type Block, blocksIn } from "./blocks.ts";

const files = sourceFiles();

/** Name → the import of it; the main entry comes first. */
const imports = new Map<string, string>();
for (const { specifier, source } of packageEntries(manifest(), files)) {
  for (const { name, isType } of namesIn(read(source))) {
    if (!imports.has(name)) imports.set(name, `import ${isType ? "type " : ""}{ ${name} } from "${specifier}";`);
  }
}

export const apiExamples: readonly Block[] = files.flatMap((file) => commentsIn(read(file)).flatMap(examplesIn(file)));

function commentsIn(source: string): string[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].map(([comment]) => comment).filter((one) => one.includes("@example"));
}

function examplesIn(file: string): (comment: string) => readonly Block[] {
  return (comment) =>
    blocksIn(file, comment.replaceAll(/^[ \t]*\* ?/gm, ""))
      .filter(({ language }) => language === "ts")
      .map((block) => ({ ...block, place: `${file}: ${block.code.split("\n")[0]}`, code: withImports(block.code) }));
}

interface Name {
  readonly name: string;
  readonly isType: boolean;
}

/** The names that an index exports, in braces or where they are declared. */
function namesIn(source: string): Name[] {
  const listed = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type, list = ""]) =>
    list.split(",").map((one) => ({
      name: one
        .trim()
        .replace(/^type /, "")
        .replace(/^.* as /, ""),
      isType: type !== undefined || one.trim().startsWith("type "),
    })),
  );
  const declared = [...source.matchAll(/^export (?:async )?(function|const|class|interface|type) (\w+)/gm)].map(
    ([, kind = "", name = ""]) => ({ name, isType: /interface|type/.test(kind) }),
  );
  return [...listed, ...declared].filter(({ name }) => name !== "");
}

function withImports(code: string): string {
  if (/^import /m.test(code)) return code;
  const used = new Set(code.replaceAll(/"[^"]*"|(?<=[\w)]\s*\.)\w+|\w+(?=\??:)/g, "").match(/\b[A-Za-z]\w*\b/g));
  const own = new Set([...code.matchAll(/\b(?:const|let|type|class|function)\s+(\w+)/g)].map(([, name]) => name));
  const needed = [...used].flatMap((name) => (own.has(name) ? [] : (imports.get(name) ?? [])));
  return `${needed.join("\n")}\n${code}`;
}
