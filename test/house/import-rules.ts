/** The allowed imports of each file (DESIGN, section 2). */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { root } from "./project.ts";
import type { Imports, SourceImport } from "./source-imports.ts";

/** The packages that only one file may import. */
const solePlace: Readonly<Record<string, string>> = {
  tapable: "core/plugin/hooks.ts",
  mitt: "core/plugin/events.ts",
  "@opentelemetry/api": "plugins/open-telemetry/index.ts",
  "age-encryption": "plugins/secrets/derivation.ts",
  "@grpc/grpc-js": "plugins/terraform/protocol/process/connection.ts",
  openpgp: "plugins/terraform/registry/verify-sums.ts",
  protobufjs: "plugins/terraform/protocol/messages/message-codec.ts",
  semver: "plugins/terraform/registry/range.ts",
  diff: "plugins/internal/render/line-diff.ts",
  undici: "adapters/kit/proxy.ts",
  yauzl: "plugins/terraform/registry/unpack.ts",
};

/** Packages that only programs on a terminal need: loaded there, by one file. */
const terminalPackages = ["picocolors", "string-width", "cli-truncate"];
const terminalPlace = "plugins/console-output/theme.ts";

/** Code that runs in a browser, and the packages that are built into it. */
const pageFolder = "plugins/ui/page/";
const pagePackages = ["@dagrejs/dagre", "preact"];

/** The packages that are an adapter's driver. */
const drivers: Readonly<Record<string, readonly string[]>> = {
  bullmq: ["bullmq", "ioredis", "pg"],
  fs: [],
  keyv: ["keyv"],
  memory: [],
  postgres: ["pg"],
  posthog: ["posthog-node"],
  redis: ["redis", "@redis/client", "@keyv/redis", "keyv"],
  s3: ["@aws-sdk/client-s3", "@smithy/node-http-handler"],
};

/** Files of core that adapters may import, besides types. */
const adapterContract = ["core/base/index.ts", "core/contract/index.ts"];

/** The wrong imports of one file, one sentence each. */
export function violationsOf(file: string, imports: readonly SourceImport[]): string[] {
  return imports.flatMap((one) => {
    const problem = problemOf(file, one);
    return problem === undefined
      ? []
      : [`${file}:${one.line} imports ${one.specifier ?? "a computed module"}: ${problem}`];
  });
}

function problemOf(file: string, one: SourceImport): string | undefined {
  const { specifier } = one;
  if (specifier === undefined)
    return file.startsWith("plugins/cli/") ? undefined : "only plugins/cli may compute a module's name";
  if (specifier.startsWith("node:")) return undefined;
  if (!specifier.startsWith(".")) return packageProblem(file, packageName(specifier), one.kind);
  const target = targetOf(file, specifier);
  if (target === undefined) return "a relative import ends in .js";
  if (target.startsWith("plugins/testing/") && !file.startsWith("plugins/testing/"))
    return "only tests import plugins/testing";
  if (file.startsWith("core/")) return target.startsWith("core/") ? undefined : "core imports only core";
  if (file.startsWith("adapters/")) return adapterProblem(file, target, one.kind);
  return pluginProblem(file, target, one.kind);
}

function packageProblem(file: string, name: string, kind: SourceImport["kind"]): string | undefined {
  if (file.startsWith(pageFolder)) return pagePackages.includes(name) ? undefined : "it is not built into the page";
  const isForTerminal = terminalPackages.includes(name) && !file.startsWith("plugins/cli/");
  if (isForTerminal && file === terminalPlace)
    return kind === "static" ? `${name} is loaded where it is used` : undefined;
  if (isForTerminal) return `only ${terminalPlace} and the command line import ${name}`;
  const place = solePlace[name];
  // The types of the hooks are those of tapable.
  if (name === "tapable" && file === "core/contract/plugin/hook-table.ts" && kind === "type") return undefined;
  if (place !== undefined) return place === file ? undefined : `only ${place} imports ${name}`;
  if (file.startsWith("adapters/")) {
    return drivers[ownerOf(file)]?.includes(name) ? undefined : "an adapter imports no package but its driver";
  }
  return file.startsWith("plugins/cli/") ? undefined : "packages are for adapters and the command line";
}

function adapterProblem(file: string, target: string, kind: SourceImport["kind"]): string | undefined {
  const isOwn = target.startsWith("adapters/") && ownerOf(target) === ownerOf(file);
  if (isOwn || target.startsWith("adapters/kit/")) return undefined;
  if (!target.startsWith("core/")) return "an adapter imports core's store contract and its own files";
  if (kind === "type" || adapterContract.includes(target)) return undefined;
  return "of core an adapter imports base, contract, and types";
}

function pluginProblem(file: string, target: string, kind: SourceImport["kind"]): string | undefined {
  if (target.startsWith("core/") || target === "adapters/kit/proxy.ts") return undefined;
  if (target === "adapters/fs/index.ts")
    return file.startsWith("plugins/state-store/") ? undefined : "only plugins/state-store imports adapters/fs";
  if (target === "adapters/keyv/index.ts" && file === "plugins/state-store/index.ts")
    return kind === "dynamic" ? undefined : "adapters are loaded when a store is chosen";
  if (target === "adapters/memory/index.ts" && ["plugins/index.ts", "plugins/testing/test-app.ts"].includes(file))
    return undefined;
  if (target.startsWith("adapters/") && file === "plugins/state-store/store-at.ts")
    return kind === "dynamic" ? undefined : "adapters are loaded when a store is named";
  // The queue of a fleet, by the same way as a store.
  if (target === "adapters/bullmq/queue.ts" && file.startsWith("plugins/fleet/queue/")) return undefined;
  if (target === "adapters/posthog/index.ts") {
    return file === "plugins/index.ts" && kind === "dynamic"
      ? undefined
      : "only plugins/index.ts loads adapters/posthog";
  }
  if (!target.startsWith("plugins/")) return "plugins import core and their own files";
  const composes =
    [
      "plugins/index.ts",
      "plugins/engine/index.ts",
      "plugins/admin/index.ts",
      "plugins/admin/parts.ts",
      "plugins/fleet/parts.ts",
    ].includes(file) || file.startsWith("plugins/cli/");
  // The page reads a store as programs do.
  if (file.startsWith("plugins/ui/") && target === "plugins/admin/index.ts") return undefined;
  // It shows fleets without their programs.
  if (
    file.startsWith("plugins/ui/sources/") &&
    /^plugins\/fleet\/(ask-conductor|record|reserved|status)\.ts$/.test(target)
  )
    return undefined;
  // Apps of tests are those of programs.
  if (file.startsWith("plugins/testing/") && target === "plugins/engine/index.ts") return undefined;
  // Code that is loaded on demand has to be there before virtual time begins.
  if (file === "plugins/testing/simulation/simulation.ts" && target === "plugins/plan/load-plans.ts") return undefined;
  // A secret is a value that resource types may return, as they may return a Date.
  if (/^plugins\/(resources|terraform)\//.test(file) && target === "plugins/secrets/secret.ts") return undefined;
  // The URL of a store may hold a password.
  if (file === "plugins/state-store/store-at.ts" && target === "plugins/secrets/secret.ts") return undefined;
  // Schemas of providers mark secrets.
  if (file.startsWith("plugins/terraform/") && target === "plugins/secrets/password.ts") return undefined;
  // Messages quote a part of a provider's output: it is masked before it is cut.
  if (file.startsWith("plugins/terraform/") && target === "plugins/secrets/redactor.ts") return undefined;
  // `Command` and `Process` are the resource forms of `exec` and `spawn`.
  if (file.startsWith("plugins/resources/") && target.startsWith("plugins/processes/")) return undefined;
  const own = target.startsWith("plugins/internal/") || ownerOf(target) === ownerOf(file);
  return composes || own || kind === "type" ? undefined : "a plugin imports no other plugin";
}

/** The source file that a relative import means. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".") || !specifier.endsWith(".js")) return undefined;
  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts");
  return target.startsWith(pageFolder) && existsSync(`${root}${target}x`) ? `${target}x` : target;
}

/** `@scope/name/part` and `name/part` without the part. */
export function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** The adapter or plugin that a file belongs to: `s3` for adapters/s3/client.ts. */
function ownerOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/**
 * Groups of files that reach each other by imports, including those of types, without dynamic ones; the largest first.
 */
export function circlesOf(imports: Imports): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    path.push(file);
    for (const target of importedBy(file, imports)) {
      if (!numbers.has(target)) visit(target);
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== number) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return circles.sort((one, other) => other.length - one.length);
}

export function importedBy(file: string, imports: Imports): string[] {
  return (imports.get(file) ?? []).flatMap(({ specifier = "", kind }) => {
    const target = kind === "dynamic" ? undefined : targetOf(file, specifier);
    return target !== undefined && imports.has(target) ? [target] : [];
  });
}
