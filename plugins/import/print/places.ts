/** Places of declarations in the tree of a program. */
import type { Block, Declaration, Expression, Item, Program } from "../program/program.js";
import { Document, isListExpression, isPlainExpression, Literal, Reference, Template } from "../program/program.js";

export interface Place {
  /** From the root to the block of the declaration. */
  readonly chain: readonly Block[];
  readonly declaration: Declaration;
}

/** Declarations by address, and which of them other blocks need. */
export class Places {
  readonly #byAddress = new Map<string, Place>();
  readonly #chains = new Map<Block, readonly Block[]>();
  /** Addresses that anything refers to. */
  readonly used = new Set<string>();
  /** For each block, the addresses below it that something outside refers to. */
  readonly offered = new Map<Block, Set<string>>();

  constructor({ root, outputs }: Program) {
    this.#add(root, []);
    for (const { chain, declaration } of this.#byAddress.values())
      for (const one of Object.values(declaration.props)) this.#use(one, chain);
    for (const { value } of outputs) this.#use(value, [root]);
  }

  at(address: string): Place {
    const found = this.#byAddress.get(address);
    if (!found) throw new TypeError(`There is no declaration of ${address}.`);
    return found;
  }

  chainOf(block: Block): readonly Block[] {
    return this.#chains.get(block) ?? [];
  }

  #add(block: Block, above: readonly Block[]): void {
    const chain = [...above, block];
    this.#chains.set(block, chain);
    for (const item of block.items) {
      if (item.type === "block") this.#add(item.block, chain);
      else this.#byAddress.set(item.declaration.resource.address, { chain, declaration: item.declaration });
    }
  }

  #use(expression: Expression, from: readonly Block[]): void {
    for (const { address } of referencesIn(expression)) {
      this.used.add(address);
      for (const block of this.at(address).chain) {
        if (from.includes(block)) continue;
        const known = this.offered.get(block) ?? new Set<string>();
        this.offered.set(block, known.add(address));
      }
    }
  }
}

export function referencesIn(one: Expression): readonly Reference[] {
  if (one instanceof Reference) return [one];
  if (one instanceof Literal) return [];
  if (one instanceof Template) return one.parts.flatMap(referencesIn);
  if (one instanceof Document) return referencesIn(one.value);
  if (isListExpression(one)) return one.flatMap(referencesIn);
  return isPlainExpression(one) ? Object.values(one).flatMap(referencesIn) : [];
}

/** Neighbours that are instances of one resource or of one module call, or whose ids end in consecutive numbers. */
export interface Run {
  readonly name: string;
  readonly items: readonly Item[];
}

export function runsOf({ items }: Block): readonly Run[] {
  const runs: { name: string; items: Item[]; addresses: Set<string> }[] = [];
  for (const item of items) {
    const name = runName(item);
    const address = item.type === "block" ? "" : item.declaration.resource.address;
    const last = runs.at(-1);
    if (last && (last.name === name || isNext(item, last.items.at(-1), last.addresses))) {
      last.items.push(item);
      last.addresses.add(address);
    } else runs.push({ name, items: [item], addresses: new Set([address]) });
  }
  return runs;
}

/** True if both have no keys and ids such as `web-1` and `web-2`, and the item needs none of those before it. */
function isNext(item: Item, last: Item | undefined, addresses: ReadonlySet<string>): boolean {
  const [own, before] = [numbered(item), last && numbered(last)];
  if (item.type === "block" || own?.kind !== before?.kind || own?.number !== (before?.number ?? 0) + 1) return false;
  return !item.declaration.resource.dependencies.some((one) => addresses.has(one));
}

function numbered(item: Item) {
  if (item.type === "block" || keyOf(item) !== undefined) return undefined;
  const { id, resource } = item.declaration;
  const [, name = "", number] = /^(.*?)(\d{1,9})$/.exec(id) ?? [];
  return number === undefined ? undefined : { kind: `${kindOf(resource)} ${name}`, number: Number(number) };
}

function runName(item: Item): string {
  if (item.type === "block") return `/${item.block.group}`;
  return `${kindOf(item.declaration.resource)} ${item.declaration.resource.name}`;
}

function kindOf({ call, kindName }: Declaration["resource"]): string {
  return `${call.by === "provider" ? `${call.provider} ${String(call.isData)}` : call.module} ${kindName}`;
}

export function keyOf(item: Item | undefined): string | number | undefined {
  return item?.type === "block" ? item.block.key : item?.declaration.resource.key;
}

/** Returns the keys with which a loop may declare a run: its own, or numbers from 0. Undefined for a single item. */
export function loopKeys(items: readonly Item[]): readonly (string | number)[] | undefined {
  if (items.length < 2) return undefined;
  const own = items.map(keyOf);
  if (own.every((key) => key === undefined)) return items.map((_item, at) => at);
  return own.every((key) => key !== undefined) ? own : undefined;
}
