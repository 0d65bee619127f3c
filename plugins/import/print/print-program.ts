/** Writes a program as TypeScript: the main file, and a file for each module if it is long. */
import { camelCase, type UniqueNames, variableNames } from "../program/names.js";
import type { Block, Item, Program } from "../program/program.js";
import { FromEnvironment, type SettledProvider } from "../program/settled.js";
import { type Code, call, layout, listCode, memberName, objectCode, text, WIDTH } from "./code.js";
import { type PrintedFunction, type Printing, shapeOfBlock } from "./items.js";
import { Places } from "./places.js";
import { FunctionPrinter, KEY } from "./print-function.js";
import { secretVariable } from "./unify.js";

/** Lines of the main file from which modules get files of their own. */
const LONG = 200;

export interface PrintedProgram {
  /** Texts by their paths. The main file is the last one. */
  readonly files: ReadonlyMap<string, string>;
  /** See {@link Printing.together}. */
  readonly together: ReadonlySet<Item>;
}

/** @param origin for a comment */
export function printProgram(program: Program, origin: string): PrintedProgram {
  const { project, root, outputs } = program;
  const providers = new Map<string, string>();
  const names = variableNames();
  for (const { id } of project.providers) providers.set(id, names.unique(camelCase(id)));
  const printing: Printing = { places: new Places(program), functions: new Map(), together: new Set(), providers };
  const functions = functionsOf(root, printing, names);
  const configuring = project.providers.map(({ functionName }) => configureName(functionName));
  const taken = ["app", ...providers.values(), ...configuring, ...functions.map(({ name }) => name)];
  const printer = new FunctionPrinter([root], printing, { taken, indent: 0 });
  const main = printer.print("");
  const configured = project.providers.map((one) => providerLine(one, providers.get(one.id) ?? one.id));
  const ends = [
    ...(outputs.length === 0
      ? []
      : [
          call(
            "app.outputs",
            [
              objectCode(
                outputs.map(({ name, value, isSensitive }): [string, Code] => {
                  const code = printer.expression(value);
                  const isWrapped = isSensitive && typeof code === "string" && !code.startsWith("engine.secret");
                  return [name, isWrapped ? `engine.secret(${code})` : code];
                }),
              ),
            ],
            { indent: 0, before: "await ", after: ";" },
          ),
        ]),
    "await app.finalize();",
  ];
  const head = `/** ${origin} */`;
  const body = [
    `const app = await engine(${text(project.app)});`,
    "",
    ...configured,
    ...(configured.length > 0 ? [""] : []),
    ...main.lines,
    "",
    ...ends,
  ];
  const length = body.length + functions.reduce((sum, one) => sum + one.lines.join("\n").split("\n").length + 8, 0);
  const isLong = functions.length > 0 && length > LONG;
  const files = new Map<string, string>();
  if (isLong) {
    const places = new Map(functions.map(({ name }, at) => [name, at]));
    for (const one of functions) files.set(`modules/${one.name}.ts`, moduleFile(one, places, { program, printing }));
  }
  const inMain = isLong ? [] : functions;
  const imports = importLines({ of: [main, ...inMain], program, printing, up: "./", isMain: true });
  const called = isLong ? [...main.called].map((name) => `import { ${name} } from "./modules/${name}.js";`) : [];
  const own = inMain.flatMap((one) => ["", ...functionLines(one, { program, printing }, false)]);
  files.set("engine.run.ts", `${[head, ...imports, ...called, "", ...body, ...own].join("\n")}\n`);
  return { files, together: printing.together };
}

/** Deeper functions come first, because those that call them need their parameters. */
function functionsOf(root: Block, printing: Printing, names: UniqueNames): readonly PrintedFunction[] {
  const groups = new Map<string, Block[]>();
  const collect = (block: Block): void => {
    for (const item of block.items) {
      if (item.type !== "block") continue;
      const known = groups.get(item.block.group);
      if (known) known.push(item.block);
      else groups.set(item.block.group, [item.block]);
      collect(item.block);
    }
  };
  collect(root);
  const depth = (group: string): number => group.split("/").length;
  const deepest = [...groups].sort(([a], [b]) => depth(b) - depth(a));
  const counts = new Map<string, number>();
  const shortName = (group: string, [first]: readonly Block[]): string =>
    `${camelCase(first?.name ?? "")}Module${restOf(group)}`;
  for (const one of deepest) counts.set(shortName(...one), (counts.get(shortName(...one)) ?? 0) + 1);
  const printed: PrintedFunction[] = [];
  const taken = ["app", ...printing.providers.values()];
  for (const [group, blocks] of deepest) {
    const byShape = new Map<string, Block[]>();
    for (const block of blocks) {
      const shape = shapeOfBlock(block, printing);
      const known = byShape.get(shape);
      if (known) known.push(block);
      else byShape.set(shape, [block]);
    }
    const [short, long] = [shortName(group, blocks), moduleName(group)];
    for (const same of byShape.values()) {
      const isOnly = byShape.size === 1 || same.length > 1;
      const own = isOnly ? (counts.get(short) === 1 ? short : long) : `${camelCase(same[0]?.scopeName ?? "")}Module`;
      const name = names.unique(own, long);
      const one = functionOf(same, printing, name, [...taken, name]);
      for (const block of same) printing.functions.set(block, one);
      printed.push(one);
    }
  }
  return printed.reverse();
}

/** Parameters that would have the same name are named after their owners, which only a second print knows. */
function functionOf(
  blocks: readonly Block[],
  printing: Printing,
  name: string,
  taken: readonly string[],
): PrintedFunction {
  const first = new FunctionPrinter(blocks, printing, { taken, indent: 2 }).print(name);
  const seen = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { wanted } of first.parameters) (seen.has(wanted) ? ambiguous : seen).add(wanted);
  return ambiguous.size === 0
    ? first
    : new FunctionPrinter(blocks, printing, { taken, indent: 2, ambiguous }).print(name);
}

/** E.g. `appDbModule` for the group `/app/db`. */
function moduleName(group: string): string {
  return `${camelCase(group.replaceAll(/#\d+/g, ""))}Module${restOf(group)}`;
}

/** A later visit of a scope declares the rest of it. */
function restOf(group: string): string {
  return /#\d+$/.test(group) ? "Rest" : "";
}

interface Whole {
  readonly program: Program;
  readonly printing: Printing;
}

function moduleFile(one: PrintedFunction, places: ReadonlyMap<string, number>, whole: Whole): string {
  const imports = importLines({ of: [one], ...whole, up: "../", isMain: false });
  const called = [...one.called]
    .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    .map((name) => `import { ${name} } from "./${name}.js";`);
  const head = [...imports, ...called];
  return `${[...head, ...(head.length > 0 ? [""] : []), ...functionLines(one, whole, true)].join("\n")}\n`;
}

function functionLines(one: PrintedFunction, { program, printing }: Whole, isExported: boolean): readonly string[] {
  const { name, parameters, usesKey, providers, lines, blocks } = one;
  const providerMembers = [...providers].map((id): [string, string] => {
    const of = program.project.providers.find((each) => each.id === id);
    return [printing.providers.get(id) ?? id, of?.typeName ?? "unknown"];
  });
  const key: [string, string][] = usesKey ? [[KEY, typeof blocks[0]?.key]] : [];
  const all = [...providerMembers, ...key, ...parameters.map((each): [string, string] => [each.name, each.type])];
  const start = isExported ? "export " : "";
  if (all.length === 0) return [`${start}async function ${name}() {`, ...lines, "}"];
  const options = `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
  const names = all.map(([each]) => each).join(", ");
  const head = `${start}async function ${name}({ ${names} }: ${options}) {`;
  return [
    `interface ${options} {`,
    ...all.map(([each, type]) => `  readonly ${memberName(each)}: ${type};`),
    "}",
    "",
    ...(head.length <= WIDTH
      ? [head]
      : [`${start}async function ${name}({`, ...all.map(([each]) => `  ${each},`), `}: ${options}) {`]),
    ...lines,
    "}",
  ];
}

interface Importing extends Whole {
  readonly of: readonly PrintedFunction[];
  /** Way to the folder of the program. */
  readonly up: string;
  readonly isMain: boolean;
}

function importLines({ of, program, up, isMain }: Importing): readonly string[] {
  const all = of.flatMap(({ lines }) => lines).join("\n");
  const needsSecret = of.some(({ parameters }) => parameters.some(({ type }) => type.startsWith("Secret")));
  const needsEngine = isMain || /\bengine\./.test(all);
  const main = [...(needsEngine ? ["engine"] : []), ...(needsSecret ? [needsEngine ? "type Secret" : "Secret"] : [])];
  const engine =
    main.length === 0 ? [] : [`import ${needsEngine ? "" : "type "}{ ${main.join(", ")} } from "scope-engine";`];
  const byModule = new Map<string, string[]>();
  for (const one of new Set(of.flatMap(({ types }) => [...types]))) {
    const [module = "", name = ""]: readonly string[] = JSON.parse(one);
    const from = module.replace(/^\.\//, up);
    byModule.set(from, [...(byModule.get(from) ?? []), name]);
  }
  const types = [...byModule].map(([module, names]) => `import { ${names.sort().join(", ")} } from ${text(module)};`);
  const inFunctions = new Set(of.filter(({ name }) => name !== "").flatMap(({ providers }) => [...providers]));
  const lines = new Map<string, Set<string>>();
  for (const { id, module, functionName, typeName } of program.project.providers) {
    const from = `${up}${module.replace(/^\.\//, "")}`;
    const names = lines.get(from) ?? new Set<string>();
    if (isMain) names.add(`${functionName} as ${configureName(functionName)}`);
    if (inFunctions.has(id)) names.add(isMain ? `type ${typeName}` : typeName);
    if (names.size > 0) lines.set(from, names);
  }
  const modules = [...lines].map(([from, names]) => {
    const [before, after] = [`import ${isMain ? "" : "type "}`, ` from ${text(from)};`];
    const list: Code = { open: "{", close: "}", elements: [...names].sort().map((name) => ["", name] as const) };
    return `${before}${layout(list, 0, before.length + after.length)}${after}`;
  });
  return [...engine, ...types, ...modules];
}

function configureName(functionName: string): string {
  return `configure${functionName.charAt(0).toUpperCase()}${functionName.slice(1)}`;
}

function providerLine({ id, isNamed, functionName, config, show }: SettledProvider, variable: string): string {
  const hasConfig = Object.keys(config).length > 0;
  const options: [string, Code][] = [
    ...(isNamed ? [["id", text(id)] as [string, Code]] : []),
    ...(show.length > 0 ? [["show", listCode(show.map(text))] as [string, Code]] : []),
  ];
  const args = [
    ...(hasConfig || isNamed ? [configCode(config)] : []),
    ...(options.length > 0 ? [objectCode(options)] : []),
  ];
  return call(configureName(functionName), args, { indent: 0, before: `const ${variable} = `, after: ";" });
}

function configCode(value: unknown): Code {
  if (value instanceof FromEnvironment) return secretVariable(value.variable);
  if (Array.isArray(value)) return listCode(value.map(configCode));
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return String(value);
  return objectCode(Object.entries(value).map(([name, one]) => [name, configCode(one)] as const));
}
