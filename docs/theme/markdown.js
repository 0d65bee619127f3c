/** Additions to TypeDoc's Markdown: tables that read on phones, pictures that keep their space while they load. */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** Where pictures of pages are. */
const PICTURES = ["docs", "docs/guide"];

/** Called by TypeDoc with its parser, before it adds its own rules. */
export function prepareMarkdown(parser) {
  parser.core.ruler.push("tables", ({ tokens }) => labelTables(tokens));
  parser.renderer.rules.table_open = () => '<div class="table"><table>';
  parser.renderer.rules.table_close = () => "</table></div>";
  const image = parser.renderer.rules.image;
  parser.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const drawing = drawingOf(token.attrGet("src") ?? "");
    if (drawing) return figure(drawing, self.renderInlineAsText(token.children ?? [], options, env));
    for (const [name, value] of Object.entries(pictureOf(token.attrGet("src") ?? ""))) token.attrSet(name, value);
    return image(tokens, index, options, env, self);
  };
}

/** Each cell knows the heading of its column; a row about a code has an anchor. */
function labelTables(tokens) {
  const seen = new Set();
  let names = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "table_open") names = [];
    else if (token.type === "tr_open") column = 0;
    else if (token.type === "th_open") names.push(tokens[index + 1].content);
    else if (token.type === "td_open") {
      labelCell(token, tokens[index + 1].content, names[column] ?? "", column, seen);
      column += 1;
    }
  }
}

function labelCell(token, content, name, column, seen) {
  if (column > 0 && name !== "")
    token.attrSet("data-label", name.replaceAll(/[`*]/g, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
  if (content === "") token.attrSet("class", "empty");
  const code = column === 0 ? /^`(?:--)?([\w:-]{3,})`/.exec(content)?.[1] : undefined;
  if (code === undefined || seen.has(code)) return;
  seen.add(code);
  token.attrSet("id", addressOf(code));
}

/** A diagram of the project, which takes its type and colours from the page. */
function drawingOf(source) {
  const path = `docs/diagrams/${basename(source)}`;
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function figure(drawing, alternative) {
  const text = alternative.replaceAll('"', "&quot;");
  const hidden = drawing
    .replace(/ role="img" aria-label="[^"]*"/, ' aria-hidden="true"')
    .replaceAll(/\n|<desc>.*?<\/desc>/g, "");
  return `<span class="figure" role="img" tabindex="0" aria-label="${text}">${hidden}</span>`;
}

/** Codes of errors in lower case. A code that could be the address of a heading gets one more word. */
function addressOf(code) {
  if (/^[A-Z_]+$/.test(code)) return code.toLowerCase();
  return /[A-Z:]/.test(code) ? code : `${code}-row`;
}

/** Width and height, so that text does not move when the picture arrives. */
function pictureOf(source) {
  const path = PICTURES.map((folder) => `${folder}/${basename(source)}`).find((file) => existsSync(file));
  const [, width, height] =
    /^<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"/m.exec(path ? readFileSync(path, "utf8") : "") ?? [];
  return width && height ? { width, height } : {};
}
