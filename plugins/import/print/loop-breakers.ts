/** Finds props whose values keep the instances of one resource from being declared in a loop. Pure. */

import { type Block, type Declaration, isPlainExpression, type Program } from "../program/program.js";
import { withoutKeys } from "../without-keys.js";
import { flat } from "./code.js";
import { keyOf, runsOf } from "./places.js";
import { type Unifying, unified } from "./unify.js";

export interface LoopBreakers {
  readonly declarations: readonly Declaration[];
  /** Names of their props. */
  readonly names: readonly string[];
}

/** Returns the props that their providers could choose, for resources that would be a loop without them. */
export function loopBreakers({ root }: Program): readonly LoopBreakers[] {
  const found: LoopBreakers[] = [];
  const visit = (block: Block): void => {
    for (const { items } of runsOf(block)) {
      const declarations = items.flatMap((item) => (item.type === "declaration" ? item.declaration : []));
      if (declarations.length > 1 && items.every((item) => keyOf(item) !== undefined))
        found.push(...breakersOf(declarations));
    }
    for (const item of block.items) if (item.type === "block") visit(item.block);
  };
  visit(root);
  return found;
}

function breakersOf(declarations: readonly Declaration[]): readonly LoopBreakers[] {
  const all = new Set(declarations.flatMap(({ props }) => Object.keys(props)));
  const names = [...all].filter((name) => !isOneCode(declarations, name));
  const areChosen = declarations.every(({ resource }) => names.every((name) => resource.chosen?.has(name)));
  return names.length > 0 && areChosen ? [{ declarations, names }] : [];
}

/**
 * True if one code fits the prop of all instances. Numbers that providers count, such as ids, also grow, so a choice
 * may count from 0 or 1 only.
 */
function isOneCode(declarations: readonly Declaration[], name: string): boolean {
  const columns = declarations.flatMap(({ props, resource }) => {
    const expression = isPlainExpression(props) ? props[name] : undefined;
    return expression === undefined ? [] : [{ expression, instance: 0, instanceKey: undefined, loopKey: resource.key }];
  });
  const code = columns.length === declarations.length ? unified(columns, [name], COMPARING) : undefined;
  if (code === undefined) return false;
  return !FAR.test(flat(code)) || declarations.some(({ resource }) => !resource.chosen?.has(name));
}

const LOOP = "key";
const FAR = /\bkey (?:\* |- |\+ (?!1\b))/;

/** Compares codes and makes none. */
const COMPARING: Unifying = {
  loopName: LOOP,
  inside: ({ address, member }, { loopKey }) => {
    const own = `[${JSON.stringify(loopKey)}]`;
    const byKey = address.endsWith(own) ? `${address.slice(0, -own.length)}[${LOOP}]` : address;
    return { fixed: `${address}.${member}`, byKey: `${withoutKeys(byKey)}.${member}` };
  },
  parameter: () => "parameter",
  instanceName: () => "instance",
};
