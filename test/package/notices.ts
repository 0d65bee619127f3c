/** The licences of all packages whose code the build includes in this one: the text of THIRD-PARTY-NOTICES. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../house/project.ts";

interface BuiltIn {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

const RULE = "-".repeat(80);
const HEAD =
  "The package holds code of other projects, built into its own files. Their licences ask that these notices go with it.\n" +
  "This file is written by `npm run notices`.\n";

/** Packages that contain others in their own built files. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = { "@dagrejs/dagre": ["@dagrejs/graphlib"] };

/** In the order of their names. */
export function builtIn(): readonly BuiltIn[] {
  const folders = foldersBuiltIn();
  const held = Object.entries(HOLDERS).flatMap(([holder, names]) =>
    [...folders].some((folder) => folder.endsWith(`/${holder}`))
      ? names.map((name) => join(root, "node_modules", name))
      : [],
  );
  const all = new Map([...folders, ...held].map(packageIn).map((one) => [`${one.name} ${one.version}`, one]));
  return [...all.keys()].sort().flatMap((key) => all.get(key) ?? []);
}

/** One block for each text, with all packages that it applies to. */
export function noticesOf(all: readonly BuiltIn[]): string {
  const texts = [...new Set(all.map(({ text }) => text))];
  const blocks = texts.map((text) => {
    const under = all.filter((one) => one.text === text);
    const names = under.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join("\n");
    return `${RULE}\n${names}\n\n${text}\n`;
  });
  return [HEAD, ...blocks].join("\n");
}

function foldersBuiltIn(): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), "scope-engine-build-"));
  try {
    const modules = join(folder, "modules.json");
    execFileSync(process.execPath, ["test/build.mjs", `--outdir=${join(folder, "dist")}`, `--modules=${modules}`], {
      cwd: root,
    });
    const inputs: readonly string[] = JSON.parse(readFileSync(modules, "utf8"));
    return new Set(inputs.flatMap((input) => /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function packageIn(folder: string): BuiltIn {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e\b.*$/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence: it cannot be built in.`);
  return {
    name,
    version,
    licence: license,
    text: readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim(),
  };
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, "THIRD-PARTY-NOTICES"), noticesOf(builtIn()));
