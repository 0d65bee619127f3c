/** The work on a program of thousands of resources grows in proportion to their number. */
import { Session } from "node:inspector";
import { expect, test } from "vitest";
import { printProgram } from "../../../plugins/import/print/print-program.js";
import { programOf } from "../../../plugins/import/program/build.js";
import type { SettledProject, SettledResource } from "../../../plugins/import/program/settled.js";

type Project = Pick<SettledProject, "resources" | "outputs">;

function resource(address: string, at: number, more: Partial<SettledResource> = {}): SettledResource {
  const scope = [...address.matchAll(/module\.(\w+)(?:\["(\w+)"\])?\./g)].map(([, name = "", key]) => ({
    name,
    ...(key === undefined ? {} : { key }),
  }));
  const name = address.split(".").at(-1) ?? "";
  const call = { by: "provider", provider: "acme", member: "box", isData: false } as const;
  const offers = new Map([["id", `${address}#${at}`]]);
  return { address, scope, name, kindName: "box", call, props: {}, offers, dependencies: [], options: {}, ...more };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_one, at) => at);

/** The projects by their number of resources. */
const PROJECTS: Readonly<Record<string, (count: number) => Project>> = {
  "of resources of one name, each in a module": (count) => ({
    resources: numbers(count).map((at) => resource(`module.m${at}.box.this`, at)),
    outputs: [],
  }),
  "of two modules that need each other": (count) => ({
    resources: numbers(count).map((at) => {
      const before = at === 0 ? [] : [`module.${at % 2 === 0 ? "odd" : "even"}.box.b${at - 1}`];
      return resource(`module.${at % 2 === 0 ? "even" : "odd"}.box.b${at}`, at, { dependencies: before });
    }),
    outputs: [],
  }),
  "of data sources without recorded dependencies, and outputs": (count) => ({
    resources: numbers(count).map((at) => {
      const call = { by: "provider", provider: "acme", member: "box", isData: true } as const;
      return at % 2 === 0
        ? resource(`box.b${at}`, at)
        : resource(`data.box.d${at}`, at, { call, props: { of: `box.b${at - 1}#${at - 1}` } });
    }),
    outputs: numbers(count).map((at) => ({ name: `o${at}`, value: `box.b${at}#${at}`, isSensitive: false })),
  }),
  "of instances of a module with other values each": (count) => ({
    resources: numbers(count).map((at) => {
      const instance = Math.floor(at / 10);
      return resource(`module.cell["c${instance}"].box.b${at % 10}`, at, { props: { size: at, label: `own ${at}` } });
    }),
    outputs: [],
  }),
  "of a function with thousands of parameters": (count) => ({
    resources: numbers(count).map((at) => {
      const [instance, number] = [at % 2, Math.floor(at / 2)];
      return resource(`module.pair["p${instance}"].box.b${number}`, at, { props: { size: at } });
    }),
    outputs: [],
  }),
};

/** Counts the calls of functions of the import during some work. */
function callsDuring(work: () => void): number {
  const session = new Session();
  session.connect();
  let calls = 0;
  try {
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    work();
    session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
      const own = result.filter(({ url }) => /\/plugins\/(?:import|cli\/import)\//.test(url));
      for (const { functions } of own) for (const { ranges } of functions) calls += ranges[0]?.count ?? 0;
    });
  } finally {
    session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
  return calls;
}

/** Four times the resources, and a little for the depth of searches in sorted lists. */
const RATIO = 4.4;

test.each(Object.entries(PROJECTS))("a program %s is built and printed in proportion", (_name, projectOf) => {
  const provider = { id: "acme", isNamed: false, module: "./providers/acme.js", functionName: "acme" };
  const providers = [{ ...provider, typeName: "Acme", config: {}, show: [] }];
  const [few, many] = [500, 2_000].map((count) =>
    callsDuring(() => {
      const program = programOf({ app: "shop", providers, ...projectOf(count) });
      expect(printProgram(program, "A test.").files.size).toBeGreaterThan(0);
    }),
  ) as [number, number];
  expect(few).toBeGreaterThan(1_000);
  expect(many / few).toBeLessThan(RATIO);
});
