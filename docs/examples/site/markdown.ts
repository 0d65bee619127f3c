/** Markdown to HTML, with the links of a site. */
import { Marked, marked } from "marked";

/** Text of the first heading of the first level. */
export function titleOf(markdown: string): string | undefined {
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading" && token.depth === 1) return plain(String(token.text));
  }
  return undefined;
}

/** The body of a page. Headings get the anchors that GitHub gives them, links to `x.md` lead to `x.html`. */
export function htmlOf(markdown: string): string {
  const anchors = new Map<string, number>();
  const renderer = new Marked({
    walkTokens(token) {
      if (token.type === "link") token.href = linkTo(String(token.href));
    },
    renderer: {
      heading({ tokens, text, depth }) {
        const anchor = anchorOf(text);
        const earlier = anchors.get(anchor) ?? 0;
        anchors.set(anchor, earlier + 1);
        const id = earlier === 0 ? anchor : `${anchor}-${earlier}`;
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  // TypeDoc's links to its own pages lead nowhere here: their text is left.
  const text = markdown.replace(/\{@link [^|}]*\|\s*([^}]*)\}/g, "$1");
  return renderer.parse(text, { async: false });
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function linkTo(href: string): string {
  // Markdown of another site stays unchanged.
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(href) ? href : href.replace(/\.md(?=$|[?#])/, ".html");
}

function anchorOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

function plain(text: string): string {
  return text.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1");
}
