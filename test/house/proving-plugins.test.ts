/** Plugins that show what the public interface is good for: they have nothing but that. */
import { describe, expect, test } from "vitest";
import { packageName } from "./import-rules.ts";
import { read } from "./project.ts";
import { importsOf } from "./source-imports.ts";

const names = ["approval", "audit-log", "policy", "webhook", "open-telemetry"];
const MOST_LINES = 79;

function faultsOf(name: string, text: string): string[] {
  const foreign = importsOf(text).flatMap(({ specifier = "a computed module" }) => {
    if (specifier === "../../core/index.js" || specifier.startsWith("node:")) return [];
    return name === "open-telemetry" && packageName(specifier) === "@opentelemetry/api" ? [] : `imports ${specifier}`;
  });
  const lines = text.trimEnd().split("\n").length;
  return lines > MOST_LINES ? [...foreign, `has ${lines} lines`] : foreign;
}

describe("the plugins that are installed by the option `plugins`", () => {
  test.each(names)("%s is one small file that imports the public entry alone", (name) => {
    expect(faultsOf(name, read(`plugins/${name}/index.ts`))).toEqual([]);
  });
});

describe("the check", () => {
  test("finds what is not public, packages, and a file that is too long", () => {
    const text = 'import { App } from "../core/engine/app.js";\nimport * as otel from "@opentelemetry/api";\n';
    expect(faultsOf("policy", text)).toEqual(["imports ../core/engine/app.js", "imports @opentelemetry/api"]);
    expect(faultsOf("policy", "\nx".repeat(MOST_LINES))).toEqual([`has ${MOST_LINES + 1} lines`]);
  });
});
