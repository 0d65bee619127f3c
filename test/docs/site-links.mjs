/**
 * The broken links of a built site, each on a line; exits with 1 if there are any.
 *
 *   node test/docs/site-links.mjs FOLDER
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A site of fewer pages is incomplete. */
const FEWEST = 100;

/** As "PAGE: LINK", and the number of pages checked. */
export function linksIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  const texts = new Map(files.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  const idsOf = (text) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const ids = new Map([...texts].map(([file, text]) => [file, idsOf(text)]));
  const dead = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/<a [^>]*?href="([^":]*)"/g)].flatMap(([, href]) => {
      const [path = "", anchor = ""] = href.split("#", 2);
      const target = path === "" ? file : join(dirname(file), decodeURI(path));
      const leads = ids.get(target)?.has(decodeURIComponent(anchor)) ?? false;
      return leads || (anchor === "" && existsSync(target)) ? [] : [`${file.slice(folder.length + 1)}: ${href}`];
    }),
  );
  return { pages: texts.size, dead: [...new Set(dead)] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { pages, dead } = linksIn(join(process.argv[2] ?? ""));
  for (const link of dead) process.stdout.write(`leads nowhere: ${link}\n`);
  process.stdout.write(`${pages} pages, ${dead.length} links that lead nowhere\n`);
  process.exitCode = pages > FEWEST && dead.length === 0 ? 0 : 1;
}
