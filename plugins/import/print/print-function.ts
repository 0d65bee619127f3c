/** Writes the function of a scope: one for all instances whose programs have the same form. */
import { camelCase, plural, type UniqueNames, variableNames } from "../program/names.js";
import { type Block, type Declaration, type Expression, type Item, Reference } from "../program/program.js";
import { type Around, type Code, call, columns, layout, listCode, member, objectCode, scopeCall } from "./code.js";
import {
  accessTo,
  baseName,
  idOf,
  keyCode,
  keyList,
  loopedName,
  optionsOf,
  type Parameter,
  type PrintedFunction,
  type Printing,
  pathTo,
  placeName,
  typeOf,
  type Variable,
} from "./items.js";
import { type CallPrinter, countedLines, keyedLines } from "./loops.js";
import { keyOf, loopKeys, type Run, runsOf } from "./places.js";
import { type Column, identity, type Unifying, unified, type Wanted } from "./unify.js";

/** Most characters of a list of keys in a loop. */
const MOST_KEYS = 40;

/** Name of the parameter with the key of an instance. */
export const KEY = "instance";

export interface FunctionSettings {
  /** Names of the file. */
  readonly taken: readonly string[];
  readonly indent: number;
  /** Names that several parameters would have. */
  readonly ambiguous?: ReadonlySet<string>;
}

export class FunctionPrinter {
  readonly #blocks: readonly Block[];
  readonly #runs: readonly (readonly Run[])[];
  readonly #printing: Printing;
  readonly #names: UniqueNames;
  readonly #indent: number;
  readonly #ambiguous: ReadonlySet<string>;
  readonly #variables = new Map<string, Variable>();
  readonly #providers = new Set<string>();
  readonly #types = new Set<string>();
  readonly #called = new Set<string>();
  /** By the texts of their values. */
  #parameters = new Map<string, Parameter>();
  #usesKey = false;
  /** Numbers of elements, by the variables of counted loops. */
  readonly #counts = new Map<string, number>();

  constructor(blocks: readonly Block[], printing: Printing, settings: FunctionSettings) {
    const { taken, indent, ambiguous = new Set() } = settings;
    this.#blocks = blocks;
    this.#printing = printing;
    this.#ambiguous = ambiguous;
    this.#names = variableNames();
    for (const name of [...taken, KEY]) this.#names.unique(name);
    this.#indent = indent;
    this.#runs = blocks.map(runsOf);
  }

  print(name: string): PrintedFunction {
    const lines = (this.#runs[0] ?? []).flatMap((_run, at) => this.#run(at));
    const returned = this.#returned();
    if (returned.length > 0) {
      const code = objectCode(returned.map((one) => [one, one] as const));
      lines.push(`${this.#pad}return ${layout(code, this.#indent, this.#indent + "return ;".length)};`);
    }
    return {
      name,
      blocks: this.#blocks,
      lines,
      parameters: [...this.#parameters.values()],
      usesKey: this.#usesKey,
      providers: this.#providers,
      types: this.#types,
      called: this.#called,
      variables: this.#variables,
    };
  }

  /** Returns the code of an expression of the only instance. */
  expression(expression: Expression): Code {
    const column = { expression, instance: 0, instanceKey: undefined, loopKey: undefined };
    return unified([column], ["value"], { ...this.#unifying("key", "output"), isUntyped: true }) ?? "undefined";
  }

  get #pad(): string {
    return " ".repeat(this.#indent);
  }

  #returned(): readonly string[] {
    const block = this.#blocks[0];
    const names = this.#blocks.flatMap((one) => {
      return [...(this.#printing.places.offered.get(one) ?? [])].map((address) => {
        const [first = ""] = pathTo(new Reference(address, "", undefined), one, this.#printing.places) ?? [];
        return this.#variables.get(first)?.name ?? "";
      });
    });
    return block ? [...new Set(names)] : [];
  }

  #run(at: number): readonly string[] {
    const rows = this.#runs.map((runs) => runs[at]?.items ?? []);
    const [first = []] = rows;
    const keys = loopKeys(first);
    const loop = keys && this.#loop(rows, keys);
    if (loop) return loop;
    return first.flatMap((_item, index) => this.#single(rows.map((row) => row[index])));
  }

  #single(column: readonly (Item | undefined)[]): readonly string[] {
    const items = column.filter((item) => item !== undefined);
    const [item] = items;
    if (!item) return [];
    const args = this.#arguments([items], "key");
    if (!args) throw new TypeError("The instances of a function have different forms.");
    const name = this.#isUsed(items) ? this.#variableName(item, idOf(item), (one) => one) : undefined;
    if (name !== undefined) this.#variables.set(placeName(item), { name });
    const before = `${this.#pad}${name === undefined ? "" : `const ${name} = `}await `;
    return [this.#call(item, args, { indent: this.#indent, before, after: ";" })];
  }

  /** Returns undefined if the instances differ by more than their keys. */
  #loop(rows: readonly (readonly Item[])[], keys: readonly (string | number)[]): readonly string[] | undefined {
    const [first = []] = rows;
    const [item] = first;
    if (
      !item ||
      !rows.every((row) => row.length === first.length && row.every((one, at) => keyOf(one) === keyOf(first[at])))
    )
      return undefined;
    const loopName = keys.every((key) => typeof key === "number") ? "index" : "key";
    const [parameters, usesKey] = [new Map(this.#parameters), this.#usesKey];
    const args = this.#arguments(
      first.map((_one, at) => rows.map((row) => row[at]).filter((one) => one !== undefined)),
      loopName,
      keys,
    );
    if (!args) {
      for (const one of [...this.#parameters.values()].slice(parameters.size)) this.#names.release(one.name);
      this.#parameters = parameters;
      this.#usesKey = usesKey;
      return undefined;
    }
    const isCounted = keys.every((key, at) => key === at);
    const inner = this.#indent + 2;
    if (!rows.some((row) => this.#isUsed(row))) {
      const head = isCounted
        ? `for (let index = 0; index < ${keys.length}; index++) {`
        : `for (const ${loopName} of ${this.#keys(item, keys)}) {`;
      const body = this.#call(item, args, { indent: inner, before: `${" ".repeat(inner)}await `, after: ";" });
      return [...this.#hoisted.splice(0), `${this.#pad}${head}`, body, `${this.#pad}}`];
    }
    for (const one of rows.flat()) this.#printing.together.add(one);
    const name = this.#variableName(item, loopedName(item), plural);
    for (const [at, one] of first.entries()) this.#variables.set(placeName(one), { name, key: keys[at] ?? at });
    const body: CallPrinter = (around) => this.#call(item, args, around);
    if (isCounted) this.#counts.set(name, keys.length);
    if (isCounted) return countedLines({ name, count: keys.length, indent: this.#indent, body });
    const list = this.#keys(item, keys);
    const lines = keyedLines({ name, loopName, list, indent: this.#indent, body });
    return [...this.#hoisted.splice(0), ...lines];
  }

  /** Lists of keys that are too long for a loop. */
  readonly #hoisted: string[] = [];

  #keys(item: Item, keys: readonly (string | number | undefined)[]): string {
    const list = keyList(keys);
    if (list.length <= MOST_KEYS) return list;
    const name = this.#names.unique(`${camelCase(baseName(item))}Keys`);
    const begin = `${this.#pad}const ${name} = `;
    const code = layout(listCode(keys.map((key) => keyCode(key))), this.#indent, columns(begin) + 1);
    this.#hoisted.push(`${begin}${code};`);
    return name;
  }

  #variableName(item: Item, own: string, form: (name: string) => string): string {
    const kind = item.type === "block" ? "scope" : item.declaration.resource.kindName;
    return this.#names.unique(form(camelCase(own)), form(camelCase(`${own}-${kind}`)));
  }

  #isUsed(items: readonly Item[]): boolean {
    const { used, offered } = this.#printing.places;
    return items.some((item) =>
      item.type === "block" ? (offered.get(item.block)?.size ?? 0) > 0 : used.has(item.declaration.resource.address),
    );
  }

  /** @param rows for each key of the loop, the items of all instances of the function */
  #arguments(
    rows: readonly (readonly Item[])[],
    loopName: string,
    keys: readonly (string | number)[] = [],
  ): readonly Code[] | undefined {
    const [item] = rows[0] ?? [];
    if (!item) return undefined;
    const unifying = this.#unifying(loopName, baseName(item));
    const code: ItemCode = (of, wanted) =>
      unified(
        rows.flatMap((items, at) =>
          items.map((item, instance): Column => {
            return { expression: of(item), instance, instanceKey: this.#blocks[instance]?.key, loopKey: keys[at] };
          }),
        ),
        wanted,
        unifying,
      );
    if (item.type === "block") return this.#scopeArguments(rows, item.block, code);
    const id = code((one) => idOf(one), ["id"]);
    const props = code((one) => (one.type === "declaration" ? one.declaration.props : {}), []);
    const options = rows.map((items) => JSON.stringify(items.map((one) => optionsOf(one))));
    if (id === undefined || props === undefined || options.some((one) => one !== options[0])) return undefined;
    const given = Object.entries(optionsOf(item)).map(([name, value]) => [name, String(value)] as const);
    return [
      id,
      ...(props === "{}" && given.length === 0 ? [] : [props]),
      ...(given.length === 0 ? [] : [objectCode(given)]),
    ];
  }

  #scopeArguments(rows: readonly (readonly Item[])[], block: Block, code: ItemCode): readonly Code[] | undefined {
    const { functions, providers } = this.#printing;
    const of = functions.get(block);
    const isSame = rows.flat().every((item) => item.type === "block" && functions.get(item.block)?.name === of?.name);
    if (!of || !isSame) return undefined;
    const name = code((item) => (item.type === "block" ? item.block.scopeName : ""), ["name"]);
    const instances = new Map(of.blocks.map((one, at) => [one, at]));
    const valueAt = (item: Item, values: readonly Expression[]): Expression =>
      (item.type === "block" ? values[instances.get(item.block) ?? -1] : undefined) ?? null;
    const given: [string, Code | undefined][] = of.parameters.map((one) => [
      one.name,
      code((item) => valueAt(item, one.values), [one.name]),
    ]);
    const key: [string, Code | undefined][] = of.usesKey ? [[KEY, code((item) => keyOf(item) ?? null, [KEY])]] : [];
    const all = [...key, ...given];
    if (name === undefined || !all.every((one): one is [string, Code] => one[1] !== undefined)) return undefined;
    for (const id of of.providers) this.#providers.add(id);
    const own = [...of.providers].map((id): [string, Code] => [providers.get(id) ?? id, providers.get(id) ?? id]);
    const args = [...own, ...all];
    return [name, ...(args.length === 0 ? [] : [objectCode(args)])];
  }

  #call(item: Item, [first = "", ...rest]: readonly Code[], around: Around): string {
    if (item.type === "declaration") return call(this.#callee(item.declaration), [first, ...rest], around);
    const name = this.#printing.functions.get(item.block)?.name ?? "";
    this.#called.add(name);
    return scopeCall(String(first), name, rest, around);
  }

  #callee({ resource: { call: by } }: Declaration): string {
    if (by.by === "type") {
      this.#types.add(JSON.stringify([by.module, by.functionName]));
      return by.functionName;
    }
    this.#providers.add(by.provider);
    const name = this.#printing.providers.get(by.provider) ?? by.provider;
    return member(by.isData ? `${name}.data` : name, by.member);
  }

  #unifying(loopName: string, owner: string): Unifying {
    return {
      loopName,
      inside: (reference, column) => this.#inside(reference, column, loopName),
      countOf: (list) => this.#counts.get(list),
      parameter: (values, wanted) => this.#parameter(values, wanted, owner),
      instanceName: () => {
        this.#usesKey = true;
        return KEY;
      },
    };
  }

  #inside(reference: Reference, { instance, loopKey }: Column, loopName: string) {
    const block = this.#blocks[instance];
    return block && accessTo(reference, { block, variables: this.#variables, loopKey, loopName }, this.#printing);
  }

  #parameter(values: readonly Expression[], path: Wanted, owner: string): string {
    const text = values.map(identity).join("\n");
    const known = this.#parameters.get(text);
    if (known) return known.name;
    const own = path.at(-1) ?? "value";
    const wanted = camelCase(own);
    const longer = [camelCase(`${owner}-${own}`), camelCase([owner, ...path].join("-"))] as const;
    const name = this.#ambiguous.has(wanted) ? this.#names.unique(...longer) : this.#names.unique(wanted, ...longer);
    this.#parameters.set(text, { name, wanted, values, type: typeOf(values[0]) });
    return name;
  }
}

type ItemCode = (of: (item: Item) => Expression, wanted: Wanted) => Code | undefined;
