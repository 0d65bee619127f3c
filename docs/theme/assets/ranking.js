/**
 * Search results and their order: pages that explain, then the exports of the API, then internals and decisions, which
 * only maintainers read.
 */

/** The weight of a section by its kind. */
const WEIGHTS = { guide: 1, row: 0.6, api: 0.5, background: 0.35 };

/** Pages that mention much and explain it elsewhere. */
const MENTIONS = /^guide\/(entries|migrating|comparison|glossary|limits)\.html/;

/** Words that say nothing about the subject of a query. */
const EMPTY = new Set(
  "a an and are as at be by can do does for from how i if in into is it me my no not of on or our s so t that the their them then there these they this to two up us was we what when where which who why will with without you your".split(
    " ",
  ),
);

/** The searchable words of a text: in lower case, with the parts of names, without common endings. */
export function wordsOf(text) {
  return text.match(/[\p{L}\p{N}_]+/gu)?.flatMap(partsOf) ?? [];
}

function partsOf(word) {
  const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u);
  return parts.length > 1 ? [word, ...parts] : [word];
}

export function termOf(word) {
  const term = word.toLowerCase();
  if (EMPTY.has(term)) return null;
  return term.length > 4 ? term.replace(/(?:ies|y)$/, "i").replace(/(?:ing|ed|es|s|e)$/, "") : term.replace(/s$/, "");
}

/** A name in a query is searched for as a whole. */
const wholeWordsOf = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

export const FIELDS = ["page", "title", "words", "text", "entry"];

/** Returns an empty index; `addAllAsync` fills it without blocking the page. */
export function makeIndex(MiniSearch) {
  const index = new MiniSearch({
    fields: FIELDS,
    idField: "url",
    tokenize: wordsOf,
    processTerm: termOf,
    searchOptions: {
      tokenize: wholeWordsOf,
      boost: { page: 3, title: 5, words: 12 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : 0),
      weights: { prefix: 0.5, fuzzy: 0.25 },
    },
  });
  return index;
}

/** At most `most` sections, no more than two of a page of text; an export that is named exactly comes first. */
export function find(index, sections, question, most = 12) {
  const byUrl = new Map(sections.map((section) => [section.url, section]));
  const boostDocument = (url) => WEIGHTS[byUrl.get(url)?.kind ?? "guide"] * (MENTIONS.test(url) ? 0.5 : 1);
  const all = index.search(question, { boostDocument, combineWith: "AND" });
  const some = all.length < 3 ? index.search(question, { boostDocument, combineWith: "OR" }) : [];
  const urls = [...new Set([...all, ...some].map(({ id }) => id))];
  const found = urls.map((url) => byUrl.get(url));
  const exact = sections.filter((section) => isNamed(section, question.trim()));
  const others = found.filter((section) => !exact.includes(section));
  const ofKind = (...kinds) => others.filter(({ kind }) => kinds.includes(kind));
  return [
    ...exact.slice(0, 2),
    ...ofEachPage(ofKind("guide", "row"), 2).slice(0, most - 4),
    ...ofKind("api").slice(0, 4),
    ...ofEachPage(ofKind("background"), 2),
  ].slice(0, most);
}

/** True for an export, a code, an option or a hook of exactly that name, if the query can only be a name. */
function isNamed({ kind, page, title }, name) {
  return /[\p{Lu}\d_:-]/u.test(name) && ((kind === "api" && page === name) || (kind === "row" && title === name));
}

function ofEachPage(sections, most) {
  const counts = new Map();
  return sections.filter(({ url }) => {
    const page = url.split("#", 1)[0];
    counts.set(page, (counts.get(page) ?? 0) + 1);
    return counts.get(page) <= most;
  });
}

/** A piece of the text around the first match; the matches are pieces of their own. */
export function excerptOf(text, question, length = 170) {
  const terms = new Set(
    wholeWordsOf(question)
      .map(termOf)
      .filter((term) => term),
  );
  const words = [...text.matchAll(/[\p{L}\p{N}_]+/gu)];
  const isHit = ([word]) => partsOf(word).some((part) => startsWithOne(termOf(part), terms));
  const hits = words.filter(isHit);
  const first = hits[0]?.index ?? 0;
  const from = first < length / 2 ? 0 : text.lastIndexOf(" ", first - length / 3) + 1;
  const pieces = [];
  let at = from;
  for (const { 0: word, index } of hits) {
    if (index < at || index + word.length > from + length) continue;
    pieces.push({ text: text.slice(at, index) }, { text: word, isHit: true });
    at = index + word.length;
  }
  const end = text.length > from + length ? Math.max(at, text.lastIndexOf(" ", from + length)) : text.length;
  pieces.push({ text: `${text.slice(at, end)}${end < text.length ? " …" : ""}` });
  return from > 0 ? [{ text: "… " }, ...pieces] : pieces;
}

function startsWithOne(term, terms) {
  if (!term) return false;
  for (const one of terms) if (term === one || (one.length > 2 && term.startsWith(one))) return true;
  return false;
}
