/** What a search finds first. */

/** Pages in which every word of a kind is explained: searching for such a word is looking for them. */
const EXPLAINS = /docs\/guide\/(errors|events|hooks|options|command-line)\.md$/;

/** Puts pages that explain before those that mention. */
export function weighDocument(document) {
  const path = document.project.files.getReflectionPath(document) ?? "";
  if (EXPLAINS.test(path)) document.relevanceBoost = 4;
  else if (path.includes("docs/guide/")) document.relevanceBoost = 2;
}
