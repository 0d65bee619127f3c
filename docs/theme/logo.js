/** The mark of the project: scopes in scopes, and a resource in the innermost. */
import { readFileSync } from "node:fs";
import { raw } from "./jsx.js";

const file = new URL("assets/logo.svg", import.meta.url);
const shapes = readFileSync(file, "utf8")
  .replace(/^[\s\S]*?>|<\/svg>\s*$/g, "")
  .replaceAll(/\n\s*/g, "");

/** Stands beside the name, so it needs no text of its own. */
export function logo() {
  return raw(`<svg class="logo" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">${shapes}</svg>`);
}
