/** The formats that `engine import` reads. A reader of another tool is one more element. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { shellWord } from "../internal/text/shell-word.js";
import { isAlchemyFolder } from "./alchemy/folder.js";
import { readAlchemy } from "./alchemy/state.js";
import type { Imported, Reader, ReadSettings } from "./contract.js";
import { refused } from "./failure.js";
import { pulumiState } from "./pulumi/state.js";
import { terraformState } from "./terraform/state.js";

const READERS: readonly Reader[] = [terraformState, pulumiState];

/** @throws EngineError `IMPORT_REFUSED` */
export async function readSource(text: string, settings: ReadSettings): Promise<Imported> {
  const reader = READERS.find((one) => one.recognises(text));
  if (reader) return reader.read(text, settings);
  const formats = READERS.map(({ format }) => format).join(", ");
  throw refused(settings.place, `has no format that the engine knows. It reads: ${formats}.`);
}

/** @throws EngineError `IMPORT_REFUSED` with what to pass instead */
export async function readFolder(settings: ReadSettings): Promise<Imported> {
  const { place } = settings;
  if (isAlchemyFolder(place)) return readAlchemy(settings);
  const entries = await readdir(place);
  for (const { pattern, pass } of SIGNS) {
    const found = entries.find((name) => pattern.test(name));
    if (found === undefined) continue;
    throw refused(place, `is a folder, not a state. Because it holds "${found}", run: ${pass(join(place, found))}`);
  }
  const names = SIGNS.map(({ name }) => name).join(", ");
  const advice =
    "Pass a file, an .alchemy folder, or - for a state on standard input: tofu state pull | engine import -";
  throw refused(place, `is a folder without a state. The engine looked for ${names}. ${advice}`);
}

interface Sign {
  /** For messages. */
  readonly name: string;
  readonly pattern: RegExp;
  /** Returns the command that imports the state. */
  pass(path: string): string;
}

/** Files and folders of a project that tell where its state is, those with a state first. */
const SIGNS: readonly Sign[] = [
  { name: "*.tfstate", pattern: /\.tfstate$/, pass: (path) => `engine import ${shellWord(path)}` },
  { name: ".alchemy", pattern: /^\.alchemy$/, pass: (path) => `engine import ${shellWord(path)}` },
  {
    name: "terraform.tfstate.d",
    pattern: /^terraform\.tfstate\.d$/,
    pass: (path) => `engine import ${shellWord(join(path, "WORKSPACE", "terraform.tfstate"))}`,
  },
  { name: "*.tf", pattern: /\.(?:tf|tofu)(?:\.json)?$/, pass: () => "tofu state pull | engine import -" },
  { name: "Pulumi.yaml", pattern: /^Pulumi\.ya?ml$/, pass: () => "pulumi stack export | engine import -" },
  {
    name: "sst.config.ts",
    pattern: /^sst\.config\.[cm]?[jt]s$/,
    pass: () => "sst state export --stage STAGE | engine import -",
  },
];
