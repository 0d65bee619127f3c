/** Addresses of Terraform and OpenTofu, such as `module.net["eu"].aws_subnet.a[0]`. */
import type { ImportedProvider, InstanceKey, ScopePath, ScopeStep } from "../contract.js";

/** A name in a configuration. */
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*/u;

export function isConfigurationName(name: unknown): name is string {
  return typeof name === "string" && NAME.exec(name)?.[0] === name;
}

/** Returns the steps of the address of a module; undefined if it is malformed. */
export function modulePath(address: string): ScopePath | undefined {
  const steps: ScopeStep[] = [];
  for (let rest = address; rest !== ""; ) {
    const name = rest.startsWith("module.") ? NAME.exec(rest.slice("module.".length))?.[0] : undefined;
    if (name === undefined) return undefined;
    rest = rest.slice("module.".length + name.length);
    const found = keyAt(rest);
    if (!found) return undefined;
    steps.push({ name, ...(found.key === undefined ? {} : { key: found.key }) });
    rest = rest.slice(found.length);
    if (rest !== "" && !rest.startsWith(".module.")) return undefined;
    rest = rest.slice(1);
  }
  return steps;
}

/** Returns the key at the beginning of a text; undefined if it is malformed. */
function keyAt(text: string): { readonly key?: InstanceKey; readonly length: number } | undefined {
  if (!text.startsWith("[")) return { length: 0 };
  const number = /^\[(\d{1,9})\]/.exec(text);
  if (number) return { key: Number(number[1]), length: number[0].length };
  const quoted = /^\["([^"\\]*(?:\\.[^"\\]*)*)"\]/.exec(text);
  const key = quoted && unquoted(quoted[1] ?? "");
  return quoted && typeof key === "string" ? { key, length: quoted[0].length } : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function unquoted(text: string): string | undefined {
  let isWhole = true;
  const plain = text.replace(/\\(u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/g, (_match, letters: string) => {
    const code = letters.length > 1 ? Number.parseInt(letters.slice(1), 16) : undefined;
    const found = code === undefined ? ESCAPES[letters] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    isWhole &&= found !== undefined;
    return found ?? "";
  });
  return isWhole ? plain.replaceAll("$${", "${").replaceAll("%%{", "%{") : undefined;
}

/** Returns a key as it is written in addresses. */
export function keyText(key: InstanceKey | undefined): string {
  return key === undefined ? "" : `[${JSON.stringify(key)}]`;
}

const PROVIDER = /^(?:(?:module\.[^"[]+(?:\[[^\]]*\])?\.)*)provider\["([^"]+)"\](?:\.([\p{L}\p{N}_-]+))?$/u;

/** `host/namespace/type`, and never a path: the engine would run the program at it. */
const SOURCE = /^[^\s/\\.][^\s/\\]*(?:\/[^\s/\\.][^\s/\\]*){2}$/;

/** Returns the provider of a `provider` member; undefined for another form, such as that before Terraform 0.13. */
export function providerIn(text: unknown): ImportedProvider | undefined {
  const [, source, alias] = (typeof text === "string" && PROVIDER.exec(text)) || [];
  if (source === undefined || !SOURCE.test(source)) return undefined;
  return { source, ...(alias === undefined ? {} : { alias }) };
}
