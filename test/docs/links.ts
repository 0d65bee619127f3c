/** Links of Markdown pages, and the anchors that their headings get. */
import { Lexer, type Token, type Tokens } from "marked";

/** The addresses that a page links to. */
export function linksIn(text: string): string[] {
  const links: string[] = [];
  visit(Lexer.lex(withoutApiLinks(text)), (token) => {
    if (token.type === "link" || token.type === "image") links.push(String(token.href));
  });
  return links;
}

/** The anchors of a page: those of its headings, as GitHub and the site make them, and `<a id="…">` for old links. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, kept = ""] of text.matchAll(/<a id="([\w-]+)"><\/a>/g)) anchors.add(kept);
  visit(Lexer.lex(withoutApiLinks(text)), (token) => {
    if (token.type !== "heading") return;
    const slug = slugOf(plain((token as Tokens.Heading).tokens));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  });
  return anchors;
}

/** TypeDoc's own links, which its validation checks. */
function withoutApiLinks(text: string): string {
  return text.replaceAll(/\{@link [^}]*\}/g, "");
}

function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      "tokens" in token && token.tokens ? plain(token.tokens) : "text" in token ? String(token.text) : "",
    )
    .join("");
}

function visit(tokens: readonly Token[], see: (token: Token) => void): void {
  for (const token of tokens) {
    see(token);
    if ("tokens" in token && token.tokens) visit(token.tokens, see);
    if (token.type === "list") visit((token as Tokens.List).items, see);
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [...header, ...rows.flat()]) visit(cell.tokens, see);
    }
  }
}
