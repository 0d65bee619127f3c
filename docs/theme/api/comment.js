/** Comments of the code as parts of a page: descriptions, defaults, errors, examples. */
import { anchor, h, raw, together } from "../jsx.js";

/** The first sentence of a declaration's description, as inline HTML. */
export function shortOf(context, reflection) {
  const comment = commentOf(reflection);
  if (!comment) return undefined;
  const html = context.markdown(firstSentence(comment.summary));
  return raw(html.replace(/^<p>|<\/p>\s*$/g, "").replaceAll(/<\/p>\s*<p>/g, " "));
}

/** The whole description, without tags. */
export function summaryOf(context, reflection) {
  const parts = commentOf(reflection)?.summary ?? [];
  return parts.length > 0 ? raw(context.markdown(parts)) : undefined;
}

/** The description and the default, separated; a default begins with "Default: ". */
export function withDefault(context, reflection) {
  const said = [];
  const value = [];
  let into = said;
  for (const part of commentOf(reflection)?.summary ?? []) {
    if (part.kind !== "text") into.push(part);
    else into = splitText(part.text, said, value, into);
  }
  const html = said.some(({ text }) => text.trim() !== "") ? raw(context.markdown(said)) : undefined;
  return { said: html, value: value.length > 0 ? inline(context, value) : undefined };
}

function splitText(text, said, value, into) {
  if (into === value) return endOfValue(text, said, value);
  const at = text.search(/\bDefault: /);
  if (at < 0) {
    into.push({ kind: "text", text });
    return into;
  }
  said.push({ kind: "text", text: text.slice(0, at) });
  return endOfValue(text.slice(at + "Default: ".length), said, value);
}

/** A default ends with its sentence. */
function endOfValue(text, said, value) {
  const end = /\.(\s|$)/.exec(text);
  value.push({ kind: "text", text: end ? text.slice(0, end.index) : text });
  if (!end) return value;
  said.push({ kind: "text", text: text.slice(end.index + 1) });
  return said;
}

/** Returns, errors and all other tags except examples. */
export function tagsOf(context, reflection) {
  const tags = commentOf(reflection)?.blockTags ?? [];
  const named = (...names) => tags.filter(({ tag }) => names.includes(tag));
  return together(
    named("@returns").map((tag) => row("Returns", context, tag)),
    named("@throws").map((tag) => row("Errors", context, tag)),
    named("@deprecated").map((tag) => row("Deprecated", context, tag)),
  );
}

function row(title, context, { content }) {
  return h(
    "div",
    { class: "tag" },
    h("strong", null, title),
    h("div", null, raw(withErrorLinks(context, context.markdown(content)))),
  );
}

/** Examples, below a heading unless they belong to only a part of the page. */
export function examplesOf(context, reflection, isPart = false) {
  const tags = (commentOf(reflection)?.blockTags ?? []).filter(({ tag }) => tag === "@example");
  if (tags.length === 0) return undefined;
  return together(
    isPart ? undefined : headingOf(context, "h2", "example", "Example"),
    tags.map(({ content }) => raw(context.markdown(content))),
  );
}

/** A heading that is listed on the page. */
export function headingOf(context, level, id, text) {
  context.page.pageHeadings.push({ link: `#${id}`, text, level: Number(level.slice(1)) });
  return h(
    level,
    { id },
    text,
    h("a", { href: `#${id}`, class: "tsd-anchor-icon", "aria-label": "Permalink" }, anchor()),
  );
}

/** Error codes link to their section in the guide. */
function withErrorLinks(context, html) {
  const errors = context.relativeURL("guide/errors.html");
  return html.replaceAll(/<code>([A-Z]+(?:_[A-Z]+)+|ABORTED)<\/code>/g, (whole, code) =>
    knownCodes(context).has(code) ? `<a href="${errors}#${code.toLowerCase()}">${whole}</a>` : whole,
  );
}

let codes;
function knownCodes({ page }) {
  if (codes) return codes;
  const errors = (page.project.documents ?? []).flatMap(withChildren).find(({ name }) => name === "Errors");
  const text = (errors?.content ?? []).map((part) => part.text).join("");
  codes = new Set([...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code));
  return codes;
}

const withChildren = (document) => [document, ...(document.children ?? []).flatMap(withChildren)];

function commentOf(reflection) {
  return (
    reflection.comment ??
    reflection.signatures?.find(({ comment }) => comment)?.comment ??
    reflection.getSignature?.comment
  );
}

function inline(context, parts) {
  return raw(context.markdown(parts).replace(/^<p>|<\/p>\s*$/g, ""));
}

function firstSentence(parts) {
  const taken = [];
  for (const part of parts) {
    const end = part.kind === "text" ? /[.:](\s|$)|\n\n/.exec(part.text) : null;
    if (end) return [...taken, { kind: "text", text: part.text.slice(0, end.index) }];
    taken.push(part);
  }
  return taken;
}
