/** Checks that the `engine` program, or npm, understands the command lines of the pages. */
import type { Command, Option } from "commander";
import { expect, test } from "vitest";
import { makeProgram } from "../../plugins/cli/program.ts";
import { parseArgv } from "../../plugins/internal/flags/handed-over.js";
import { read } from "../house/project.ts";
import { blocks, pages } from "./pages.ts";

/** Command lines that a page shows as refused. */
const slips: ReadonlySet<string> = new Set(["engine dploy"]);

/** Command lines in a sentence: `engine state list --json`. */
function inSentences(text: string): string[] {
  const sentences = text.replaceAll(/^ {0,3}```[\s\S]*?^ {0,3}```$/gm, "").replaceAll("\\|", "|");
  const found = [...sentences.matchAll(/`((?:npx )?engine [a-z][^`]*)`/g)].flatMap(([, line = ""]) =>
    commandLines(line),
  );
  return found.filter((line) => !slips.has(line));
}

test("the commands of the pages are commands of the engine program, with flags that they have", () => {
  const shell = blocks.filter(({ language }) => language === "sh");
  const shown = blocks.filter(({ language }) => language === "text");
  const lines = [
    ...shell.flatMap(({ place, code }) => commandLines(code).map((line) => ({ place, line }))),
    ...shown.flatMap(({ place, code }) => (code.match(/^\$ engine .*$/gm) ?? []).map((line) => ({ place, line }))),
    ...pages.flatMap((page) => inSentences(read(page)).map((line) => ({ place: page, line }))),
  ];
  expect(lines.length).toBeGreaterThan(60);
  const wrong = lines.flatMap(({ place, line }) => wrongWith(line).map((why) => `${place}: ${line.trim()}: ${why}`));
  expect(wrong).toEqual([]);
});

test("the npm scripts of the pages are scripts of package.json", () => {
  const { scripts }: { scripts: object } = JSON.parse(read("package.json"));
  const named = [...pages, ".github/CONTRIBUTING.md"].flatMap((page) => [
    ...read(page).matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g),
  ]);
  expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
});

/** The mistakes in one command line; empty if there are none. */
function wrongWith(line: string): string[] {
  const words = wordsOf(line);
  const at = words.indexOf("engine");
  if (at >= 0) return wrongInEngine(words.slice(at + 1));
  const program = words.findIndex((word) => /\.[mc]?[jt]s$/.test(word));
  return program >= 0 && words.some((word) => word === "node" || word === "tsx") ? wrongInProgram(words, program) : [];
}

/** The simple commands of a shell block, without comments, continued lines joined. */
function commandLines(code: string): string[] {
  return code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/\s(?:&&|\|\||\||;)\s|\$\(|`/))
    .map((line) => line.trim())
    .filter((line) => /(^|\s)(engine|node|tsx)\s/.test(line));
}

function wordsOf(line: string): string[] {
  const text = line.replace(/^\$ /, "").replace(/[)\]]\s*$/, "");
  return [...text.matchAll(/'[^']*'|"[^"]*"|[^\s]+/g)].map(([word]) => word.replaceAll(/^['"]|['"]$/g, ""));
}

/** A placeholder such as `…`, `[entry]`, `FILE|FILE`; or a redirection of output. */
const isLeftOut = (word: string): boolean => /^(…|\[.*|.*\]|\d?[<>].*)$/.test(word);

function wrongInEngine(words: readonly string[]): string[] {
  let command: Command = makeProgram("0.0.0");
  const chain = [command];
  const given: string[] = [];
  const wrong: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") break;
    if (isLeftOut(word)) continue;
    if (word.startsWith("-") && word.length > 1) {
      const [name = "", value] = word.split("=", 2);
      const option = optionOf(chain, name);
      if (option === undefined) wrong.push(`${chain.map((one) => one.name()).join(" ")} has no ${name}`);
      else if (option !== "help" && option.required && value === undefined) index += 1;
      continue;
    }
    const next = given.length > 0 ? undefined : subcommand(command, word);
    if (next) {
      command = next;
      chain.push(next);
    } else if (word === "help") break;
    else if (command.commands.length > 0 && given.length === 0) wrong.push(`${command.name()} has no command ${word}`);
    else given.push(word);
  }
  const { registeredArguments } = command;
  const takes = registeredArguments.at(-1)?.variadic ? Number.POSITIVE_INFINITY : registeredArguments.length;
  if (given.length > takes && wrong.length === 0) wrong.push(`${command.name()} does not take ${given.at(-1)}`);
  return wrong;
}

/** The first of `list|show|tree`, if all of them are commands. */
function subcommand(command: Command, word: string): Command | undefined {
  const find = (name: string) => command.commands.find((one) => one.name() === name || one.aliases().includes(name));
  const found = word.split("|").map(find);
  return found.includes(undefined) ? undefined : found[0];
}

function optionOf(chain: readonly Command[], name: string): Option | "help" | undefined {
  if (name === "--help" || name === "-h") return "help";
  return chain.flatMap((one) => one.options).find((one) => one.long === name || one.short === name);
}

function wrongInProgram(words: readonly string[], program: number): string[] {
  try {
    parseArgv(words.slice(program + 1).filter((word) => !isLeftOut(word)));
    return [];
  } catch (error) {
    return [String(error)];
  }
}
