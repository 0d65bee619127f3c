/** Tokens in a file of settings, by host. Pure. All else that such a file may say is passed over. */
import { jsonFaultPlace } from "../../../../core/base/index.js";
import { missing } from "../failure.js";

/** @param path for messages @throws EngineError `PROVIDER_MISSING` for JSON that is none */
export function tokensIn(text: string, path: string): ReadonlyMap<string, string> {
  return text.trimStart().startsWith("{") ? inJson(text, path) : inHcl(text);
}

/** `{"credentials": {"HOST": {"token": "…"}}}`, which `tofu login` writes. */
function inJson(text: string, path: string): ReadonlyMap<string, string> {
  const hosts: readonly (readonly [string, unknown])[] = Object.entries(Object(Object(parsed(text, path)).credentials));
  const tokens = hosts.map(([host, said]) => [host, Object(said).token] as const);
  return new Map(tokens.filter((one): one is readonly [string, string] => typeof one[1] === "string"));
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told below, without the cause: that quotes a part of the text.
  }
  throw missing(`${path}, which may have tokens of registries, is no JSON: see ${jsonFaultPlace(text)}.`);
}

/** Comments, texts, texts in several lines, words, and each sign by itself. */
const TOKEN =
  /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|<<-?(\w+)\n[\s\S]*?\n[ \t]*\1(?=\n|$)|[\w.:-]+|[^\s\w]/g;
const COMMENT = /^(?:#|\/[/*])/;

/** `credentials "HOST" { token = "…" }` */
function inHcl(text: string): ReadonlyMap<string, string> {
  const words = (text.match(TOKEN) ?? []).filter((word) => !COMMENT.test(word) && word !== "=");
  const found = new Map<string, string>();
  let depth = 0;
  let host: string | undefined;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (word === "{") depth++;
    else if (word === "}") {
      depth--;
      if (depth === 0) host = undefined;
    } else if (depth === 0 && word === "credentials" && next !== undefined && words[at + 2] === "{")
      host = textOf(next);
    else if (depth === 1 && host !== undefined && textOf(word) === "token" && next?.startsWith('"'))
      found.set(host, textOf(next));
  }
  return found;
}

function textOf(word: string): string {
  if (!word.startsWith('"')) return word;
  return word.slice(1, -1).replace(/\\(["\\])/g, "$1");
}
