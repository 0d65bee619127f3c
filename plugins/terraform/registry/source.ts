/** Sources of providers on the command line and in the lock file. Pure. */
import { isAbsolute, posix, relative, resolve, sep } from "node:path";
import { EngineError } from "../../../core/base/index.js";

/** A provider in a registry. */
export interface ProviderAddress {
  /** Host, with its port unless it is the default. */
  readonly host: string;
  readonly namespace: string;
  readonly type: string;
}

/** A requested provider: of a registry, with a range of versions, or a local file or folder. */
export type ProviderSource =
  | { readonly from: "registry"; readonly address: ProviderAddress; readonly range?: string }
  | { readonly from: "path"; readonly path: string };

export const DEFAULT_HOST = "registry.opentofu.org";

/** The terms of use of this registry allow Terraform only. */
export const TERRAFORM_HOST = "registry.terraform.io";

const PART = /^[0-9a-z](?:[0-9a-z_-]*[0-9a-z])?$/;

const HOST =
  /^(?:localhost|\[[0-9a-f:]+\]|(?:[0-9a-z](?:[0-9a-z-]*[0-9a-z])?\.)+[0-9a-z](?:[0-9a-z-]*[0-9a-z])?)(?::\d{1,5})?$/;

/**
 * Parses `namespace/type`, `host/namespace/type`, either with `@range`, or a path, which begins with `.` or `/`.
 *
 * @param folder that paths are relative to
 * @throws EngineError `INVALID_ARGUMENT`
 */
export function parseSource(text: string, folder: string): ProviderSource {
  if (isPath(text)) return { from: "path", path: resolve(folder, text) };
  const [name = "", ...rest] = text.split("@");
  const range = rest.join("@").trim();
  const parts = name.trim().toLowerCase().split("/");
  if (parts.length === 1) throw withoutNamespace(text, parts[0] ?? "");
  const [host = "", namespace = "", type = ""] = parts.length === 2 ? [DEFAULT_HOST, ...parts] : parts;
  if (parts.length > 3 || !HOST.test(host) || !PART.test(namespace) || !PART.test(type)) throw malformed(text);
  if (rest.length > 0 && range === "") throw malformed(text);
  return { from: "registry", address: { host, namespace, type }, ...(range === "" ? {} : { range }) };
}

function isPath(text: string): boolean {
  return /^\.{1,2}(?:[\\/]|$)/.test(text) || isAbsolute(text) || /^[A-Za-z]:[\\/]/.test(text);
}

function withoutNamespace(text: string, type: string): EngineError {
  const name = PART.test(type) ? type : "TYPE";
  return new EngineError(
    "INVALID_ARGUMENT",
    `"${text}" has no namespace. Write namespace/type, e.g. hashicorp/${name} if the documentation names only the type. The path of a file or folder begins with "./".`,
  );
}

function malformed(text: string): EngineError {
  return new EngineError(
    "INVALID_ARGUMENT",
    `"${text}" is not a provider. Write namespace/type or host/namespace/type, with or without @range. The path of a file or folder begins with "./".`,
  );
}

/** Returns an address as in the lock file: `host/namespace/type`. */
export function addressText({ host, namespace, type }: ProviderAddress): string {
  return `${host}/${namespace}/${type}`;
}

/** Returns a path as in the lock file: relative to its folder if both are on the same disk. */
export function pathText(path: string, folder: string): string {
  const way = relative(folder, path);
  if (isAbsolute(way)) return path;
  const steps = way.split(sep).join(posix.sep);
  return steps.startsWith("../") ? steps : `./${steps}`;
}

/** Returns a note on the terms of use of a registry; undefined for most. */
export function termsOf({ host }: ProviderAddress): string | undefined {
  if (host !== TERRAFORM_HOST) return undefined;
  return `The terms of use of ${host} allow only Terraform to use this registry. ${DEFAULT_HOST} has most of the same providers, under the same names.`;
}

/** A system, as in the names of archives. */
export interface Target {
  readonly os: string;
  readonly arch: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };

const PROCESSORS: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

export function thisTarget(): Target {
  const { platform, arch } = process;
  return { os: SYSTEMS[platform] ?? platform, arch: PROCESSORS[arch] ?? arch };
}

export function targetText({ os, arch }: Target): string {
  return `${os}_${arch}`;
}
