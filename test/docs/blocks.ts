/** The fenced blocks of a page, and their marks. */

export interface Block {
  readonly page: string;
  /** Page and line, e.g. `docs/guide/state.md:12`. */
  readonly place: string;
  /** The first word after the fence; empty if there is none. */
  readonly language: string;
  /** The words after it, e.g. `runnable`, `s3`. */
  readonly marks: ReadonlySet<string>;
  /** The name by which other blocks of the page import it: `file=app.ts`. */
  readonly file: string | undefined;
  /** The exit code of the process: `exit=2`. */
  readonly exit: number;
  readonly code: string;
}

/** The valid words of a mark; another word is a slip, and its block would be ignored. */
export const KNOWN_MARKS: ReadonlySet<string> = new Set(["runnable", "checked", "s3", "redis", "postgres", "vitest"]);

/** Marks of a block for another tool. */
export const PEER_MARKS = ["alchemy", "opentofu"] as const;

export function blocksIn(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly info: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^(?: {0,3})```(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (!open) open = { line: index + 1, info: (fence[1] ?? "").trim(), lines: [] };
    else {
      blocks.push(blockOf(page, open.line, open.info, `${open.lines.join("\n")}\n`));
      open = undefined;
    }
  }
  if (open) throw new Error(`The block that begins at ${page}:${open.line} does not end.`);
  return blocks;
}

function blockOf(page: string, line: number, info: string, code: string): Block {
  const [language = "", ...words] = info.split(/\s+/);
  const all = words.filter((word) => word.includes("="));
  const setting = (name: string) => all.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return {
    page,
    place: `${page}:${line}`,
    language,
    marks: new Set(words.filter((word) => !word.includes("="))),
    file: setting("file"),
    exit: Number(setting("exit") ?? 0),
    code,
  };
}

/** The texts of comments `// → text` (in a shell `# → text`) that are missing, or that come before an earlier one. */
export function notPrinted(code: string, printed: string): string[] {
  let from = 0;
  return [...code.matchAll(/(?:\/\/|#) → (.*)$/gm)].flatMap(([, text = ""]) => {
    const at = printed.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at < 0 ? [text] : [];
  });
}
