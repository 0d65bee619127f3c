/**
 * Rejects habits of prose that a rule can decide: `npm run lint`.
 *
 * - comments and paragraphs of Markdown are at most 120 columns wide, if they can be broken
 * - messages and documentation use the common word instead of the words in `RARE`
 * - a file's header does not begin with a question word
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { filesBelow, root, sourceFiles } from "./project.ts";

const WIDTH = 120;

/** Word → the common one. */
const RARE: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, "fix or repair"],
  [/\banew\b/i, "again"],
  [/\bbeforehand\b/i, "before"],
  [/\bbesides\b/i, "also"],
  [/\b(?:somebody|nobody|whoever|whom)\b/i, "the person, program or run that is meant"],
  [/\bhow manieth\b/i, "index"],
  [/\bheirs?\b/i, "new owner"],
  [/\blets? go of\b/i, "release"],
  [/\b(?:came|comes) of it\b/i, "outcome"],
  [/\b(?:hitherto|thereof|whence|asunder)\b/i, "a word of today"],
];

const QUESTION = /^(?:What|Which|How|Who|Whether|Where|Whatever|Whoever)\b/;

/** Each problem as "line: text". */
export function problemsOfSource(text: string): string[] {
  return [...headerOf(text), ...wideComments(text), ...rareMessages(text)];
}

export function problemsOfPage(text: string): string[] {
  let isCode = false;
  let isFrontMatter = text.startsWith("---\n");
  return text.split("\n").flatMap((line, index) => {
    if (isFrontMatter) {
      if (index > 0 && line === "---") isFrontMatter = false;
      return [];
    }
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || line.startsWith("<!--")) return [];
    const prose = line.replaceAll(/`[^`]*`|\]\([^)]*\)|\{@link [^}]*\}/g, (code) => "~".repeat(code.length));
    const isParagraph = !/^\s*(?:\||#|<|\[?!\[|\[[^\]]+\]:)/.test(line);
    const isWide = isParagraph && isBreakable(prose);
    return [...(isWide ? [tooWide(line, index)] : []), ...rareIn(prose, index)];
  });
}

function headerOf(text: string): string[] {
  const [, first = ""] = /^(?:#!.*\n)?\s*\/[*/]+[\s*]*(\w.{0,40})/.exec(text) ?? [];
  return QUESTION.test(first) ? [`1: a header is a noun phrase or a verb, not "${first}…"`] : [];
}

function wideComments(text: string): string[] {
  const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\* )/.test(line) || /[;,{(] \/\/ [^"'`]*$/.test(line);
  return text.split("\n").flatMap((line, index) => {
    if (!isBreakable(line) || !isComment(line)) return [];
    return [tooWide(line, index)];
  });
}

/** Too long although it has a space to break at. */
function isBreakable(line: string): boolean {
  if (line.length <= WIDTH || /https?:\S{60,}/.test(line)) return false;
  return /\S\s/.test(line.slice(0, WIDTH).replace(/^\s*(?:\/\/|\/?\*+)?\s*/, ""));
}

function rareMessages(text: string): string[] {
  if (!RARE.some(([pattern]) => pattern.test(text))) return [];
  const source = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isText && /\S\s+\S/.test(node.text)) {
      found.push(...rareIn(node.text, source.getLineAndCharacterOfPosition(node.getStart()).line));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function rareIn(prose: string, index: number): string[] {
  return RARE.flatMap(([pattern, common]) => {
    const hit = pattern.exec(prose)?.[0];
    return hit === undefined ? [] : [`${index + 1}: "${hit}": write ${common}`];
  });
}

function tooWide(line: string, index: number): string {
  return `${index + 1}: ${line.length} columns: at most ${WIDTH}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const textOf = (file: string): string => readFileSync(root + file, "utf8");
  const isCode = (path: string): boolean => /\.(?:tsx?|mjs)$/.test(path);
  const pages = filesBelow("", (path) => path.endsWith(".md") && /^(?:docs|\.github)\/|^[^/]*$/.test(path));
  const sources = new Set(sourceFiles());
  const others = filesBelow("test", isCode);
  const problems = [
    ...pages.flatMap((page) => problemsOfPage(textOf(page)).map((problem) => `${page}:${problem}`)),
    ...[...sources].flatMap((file) => problemsOfSource(textOf(file)).map((problem) => `${file}:${problem}`)),
    ...others.flatMap((file) =>
      [...headerOf(textOf(file)), ...wideComments(textOf(file))].map((problem) => `${file}:${problem}`),
    ),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
