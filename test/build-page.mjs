/** The page of `engine ui`: one HTML file that holds its script and its style, and loads nothing. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const PAGE = "plugins/ui/page";

/** Writes `plugins/ui/page/index.html` below a folder. Returns the names of all source files. */
export async function buildPage(root, outdir) {
  const script = await bundle({ input: join(root, PAGE, "main.tsx") });
  const style = await styleOf(root);
  const parts = {
    "{script-hash}": hashOf(script.text),
    "{style-hash}": hashOf(style),
    "/*style*/": style,
    "/*script*/": script.text,
  };
  const page = readFileSync(join(root, PAGE, "page.html"), "utf8");
  const html = Object.entries(parts).reduce((text, [name, part]) => text.replace(name, () => part), page);
  const file = join(outdir, PAGE, "index.html");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, html);
  return script.modules;
}

async function bundle({ input }) {
  const build = await rolldown({
    input,
    // package.json says that no module has side effects; the page's own module does.
    treeshake: { moduleSideEffects: (id) => id === input },
    platform: "browser",
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
    transform: { target: "es2022" },
    onLog: refuseUnresolved,
  });
  const { output } = await build.generate({ format: "iife", minify: true, comments: { legal: false } });
  await build.close();
  const [chunk] = output;
  // It becomes part of a page: text that would end the script there is escaped.
  const text = chunk.code.trim().replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
  return { text, modules: chunk.moduleIds };
}

/** A browser has no modules of Node: a page that imports one shows nothing. @throws Error with the bundler's message */
function refuseUnresolved(level, log, defaultHandler) {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(`The page cannot be built: ${log.message}`);
  defaultHandler(level, log);
}

/** In the order of the names of the files. */
async function styleOf(root) {
  const folder = join(root, PAGE, "css");
  const names = readdirSync(folder).sort();
  const text = names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(/: (?=[^{}]*[;}])/g, ":")
    .trim();
}

function hashOf(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
