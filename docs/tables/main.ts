/**
 * Writes the tables of the guide that follow code: `npm run docs:tables`. With `--check` it writes nothing, and fails
 * if a page is out of date.
 */
import { writeFileSync } from "node:fs";
import { read, root } from "../../test/house/project.js";
import { generated } from "./markdown.js";
import { MENTIONS } from "./mentions.js";
import { SPEED_PAGES, withSpeed } from "./speed.js";
import { TABLES } from "./tables.js";

const isCheck = process.argv.includes("--check");
const problems: string[] = [];
for (const page of new Set([...TABLES.map((table) => table.page), ...SPEED_PAGES])) {
  const before = read(page);
  let text = withSpeed(before);
  const known = TABLES.filter((table) => table.page === page);
  for (const table of known) {
    const made = generated(text, table);
    text = made.text;
    problems.push(...made.problems);
  }
  const marked = [...before.matchAll(/^<!-- generated: (.*) -->$/gm)].map(([, name = ""]) => name);
  const unknown = marked.filter((one) => !known.some(({ name }) => name === one));
  problems.push(
    ...unknown.map((name) => `${page}: "generated: ${name}" is marked, and code has nothing of that name.`),
  );
  if (text === before) continue;
  if (isCheck) problems.push(`${page}: a table is not as code has it. Run npm run docs:tables.`);
  else writeFileSync(root + page, text);
}
for (const { page, within, names } of MENTIONS) {
  const path = `docs/guide/${page}.md`;
  const part = within(read(path)) ?? "";
  const missing = names.filter((name) => !new RegExp(`(?<![\\w-])${name}\\b`).test(part));
  problems.push(
    ...missing.map((name) => `${path}: ${name} is not mentioned where it belongs (docs/tables/mentions.ts).`),
  );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
