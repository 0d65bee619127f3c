/** Compiles a program with a generated module in the compiler's strictest mode. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { typeCheck, type Verdict } from "../../../helpers/checks/type-check.ts";
import { root } from "../../../house/project.ts";

/** The types that modules import, from the sources themselves. */
const ENGINE = `
export type { Input, PendingResource, ResourceOptions } from "${root}core/contract/index.js";
export { Secret } from "${root}plugins/secrets/secret.js";
`;

const TERRAFORM = `
import type { Input, ResourceOptions } from "scope-engine";
import type { ProviderDefinition, ProviderOptions } from "${root}plugins/terraform/generate/definition.js";
export type { ProviderOptions };
export interface ProviderResourceOptions extends ResourceOptions {
  readonly importId?: string;
}
export declare function provider<Config, Provider>(
  definition: ProviderDefinition,
): (config?: Input<Config>, options?: ProviderOptions<Config>) => Provider;
`;

const SETTINGS = {
  target: "ES2023",
  lib: ["ES2023", "ESNext.Disposable"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
};

export interface Compiled extends Verdict {
  /** Lines of the program with an error, and its code. */
  readonly errors: readonly string[];
}

/**
 * @param files by name; each is a part of the program
 * @param more further compiler options
 */
export async function compile(files: Readonly<Record<string, string>>, more: object = {}): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), "terraform-types-"));
  try {
    const paths = { "scope-engine": ["./engine.d.ts"], "scope-engine/terraform": ["./terraform.d.ts"] };
    const own = { "engine.d.ts": ENGINE, "terraform.d.ts": TERRAFORM, "package.json": '{"type":"module"}' };
    const settings = JSON.stringify({ compilerOptions: { ...SETTINGS, ...more, paths }, files: Object.keys(files) });
    for (const [name, text] of Object.entries({ ...files, ...own, "tsconfig.json": settings })) {
      await writeFile(join(folder, name), text);
    }
    await symlink(`${root}node_modules`, join(folder, "node_modules"));
    const verdict = typeCheck("tsconfig.json", folder);
    return { ...verdict, errors: errorsIn(verdict.stdout) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Ignores errors in the engine's sources, which users get as declarations: they are not written for this strictness.
 */
function errorsIn(output: string): readonly string[] {
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+)/gm)]
    .filter(([, file]) => !file?.startsWith(".."))
    .map(([, file, line, code]) => `${file}:${line} ${code}`);
}
