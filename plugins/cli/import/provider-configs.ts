/** Reads and checks the configurations of providers that `--provider-config` names. */
import { readFile } from "node:fs/promises";
import { EngineError, messageOf, nearest } from "../../../core/base/index.js";
import { isMembers } from "../../import/members.js";
import { FromEnvironment } from "../../import/program/settled.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { type Block, holding, namesOf, nestedIn } from "../../terraform/schema/index.js";

type Config = Readonly<Record<string, unknown>>;

export interface ProviderConfigs {
  /** Undefined if none was named. */
  readonly file: string | undefined;
  /** By the provider's name, or `name.alias`. */
  readonly byName: Readonly<Record<string, Config>>;
}

/** Reads a JSON file with the configurations of providers. `{"$env": "NAME"}` stands for a variable. */
export async function configsIn(file: string | undefined): Promise<ProviderConfigs> {
  if (file === undefined) return { file, byName: {} };
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const isText = error instanceof SyntaxError;
    throw wrong(file, isText ? "is not JSON" : `cannot be read: ${messageOf(error).replace(/\.+$/, "")}`);
  }
  if (!isMembers(read) || !Object.values(read).every(isMembers)) throw wrong(file, "is not an object of objects");
  const turned = Object.entries(read).map(([name, one]) => [name, Object(withVariables(one, file))] as const);
  return { file, byName: Object.fromEntries(turned) };
}

function wrong(file: string, why: string): EngineError {
  const example = '{"postgresql": {"host": "db.example.com"}}';
  return new EngineError(
    "INVALID_ARGUMENT",
    `The file of --provider-config, "${file}", ${why}. It must be JSON such as ${example}.`,
  );
}

function withVariables(value: unknown, file: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withVariables(one, file));
  if (typeof value !== "object" || value === null) return value;
  const variable: unknown = Reflect.get(value, "$env");
  if (typeof variable !== "string") {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withVariables(one, file)]));
  }
  const found = process.env[variable];
  if (found) return new FromEnvironment(variable, found);
  throw new EngineError(
    "ENV_MISSING",
    `The environment variable ${variable} is not set, but "${file}" reads it. Set it.`,
  );
}

export interface UsedNames {
  /** Names of the providers of the source. */
  readonly used: readonly string[];
  /** Packages of Pulumi without a provider that the engine knows. */
  readonly unknown?: ReadonlySet<string>;
}

/** @throws EngineError `INVALID_ARGUMENT` for a name that no provider of the source has */
export function refuseUnusedConfigs({ file, byName }: ProviderConfigs, { used, unknown }: UsedNames): void {
  for (const name of Object.keys(byName)) {
    if (used.includes(name)) continue;
    const near = nearest(name, used) ?? used.find((one) => one.startsWith(`${name}.`) || name.startsWith(`${one}.`));
    const hint =
      used.length === 0
        ? "It has no resource of a provider."
        : near === undefined
          ? `Its providers: ${used.join(", ")}.`
          : `Did you mean "${near}"?`;
    const why = unknown?.has(name)
      ? `but the engine knows no Terraform provider for this package. Its resources become stubs, which need no configuration.`
      : `but the source has no such provider. ${hint}`;
    throw new EngineError("INVALID_ARGUMENT", `"${file}" configures "${name}", ${why} Correct or remove this entry.`);
  }
}

/** Returns a sentence that tells how to pass a configuration, with members of this provider. */
export function configAdvice(name: string, { file, byName }: ProviderConfigs, block: Block): string {
  if (file !== undefined && byName[name]) return `Correct "${name}" in "${file}".`;
  const how = howToPass("it", file, { [name]: exampleOf(name, block) });
  return `The source does not hold the configuration of the provider "${name}". ${how}`;
}

/** A configuration without an entry. */
interface Unconfigured {
  readonly name: string;
  /** Of the provider. */
  readonly block: Block;
}

/** Returns a sentence that names the configurations that the program does not have. */
export function unconfiguredNote(
  all: readonly Unconfigured[],
  { file }: Pick<ProviderConfigs, "file">,
): readonly string[] {
  const open = all.filter(({ block }) => Object.keys({ ...block.attributes, ...block.blocks }).length > 0);
  const [first] = open;
  if (!first) return [];
  const names = open.map(({ name }) => name).join(", ");
  const how = howToPass("them", file, { [first.name]: exampleOf(first.name, first.block) });
  return [
    `The source does not hold the configuration of these providers, so the program passes none to them: ${names}. ${how}`,
  ];
}

function howToPass(what: string, file: string | undefined, example: Readonly<Record<string, Config>>): string {
  const where = file === undefined ? `Pass a JSON file with ${what}` : `Add ${what} to "${file}"`;
  return `${where}, such as ${JSON.stringify(example)}: --provider-config ${shellWord(file ?? "FILE")}.`;
}

/** Returns a configuration with the member that the provider needs most. */
function exampleOf(name: string, block: Block): Config {
  const { toProgram } = namesOf(block);
  const all = Object.entries(block.attributes);
  const [member, attribute] = all.find(([, { required }]) => required) ??
    all.find(([, { sensitive }]) => sensitive) ??
    all[0] ?? ["token"];
  const isSecret = attribute?.sensitive === true || looksSecret(member);
  const value = isSecret ? { $env: `${name}_${member}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_") } : "…";
  return { [toProgram.get(member) ?? member]: value };
}

const holdsSensitive = holding(({ sensitive }) => sensitive === true);

/** Returns the names of values that are plain words, such as a region, so that no text needs to mask them. */
export function plainNames(config: Config, block: Block): readonly string[] {
  const { toProvider } = namesOf(block);
  return Object.entries(config).flatMap(([name, value]) => {
    const of = block.attributes[toProvider.get(name) ?? ""] ?? block.blocks[toProvider.get(name) ?? ""];
    const nested = of && nestedIn(of);
    const isMarked =
      of === undefined || ("sensitive" in of && of.sensitive) || (nested && holdsSensitive(nested.level));
    return isMarked || !isPlain(name, value) ? [] : [name];
  });
}

const SECRET =
  /pass|pwd|secret|token|key|cred|auth|private|pem|cert|pin|salt|sign|session|cookie|header|connection|dsn|bearer|seed|jwt|saml|otp/i;

function looksSecret(name: string): boolean {
  return SECRET.test(name);
}

function isPlain(name: string, value: unknown): boolean {
  if (looksSecret(name) || value instanceof FromEnvironment) return false;
  // A URL may hold a password.
  if (typeof value === "string") return !/:\/\/[^/]*@/.test(value);
  if (Array.isArray(value)) return value.every((one) => isPlain(name, one));
  return !isMembers(value) || Object.entries(value).every(([own, one]) => isPlain(own, one));
}
