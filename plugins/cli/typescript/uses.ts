/** Collects the imports of a file, the names that it binds, and the members that it uses. It ignores scopes. */
import { type ParseResult, types } from "@babel/core";

/** Collects the {@link Uses} of a file. */
export function usesOf(file: ParseResult): Uses {
  const uses: Mutable = { imports: [], bound: [], chains: [] };
  types.traverseFast(file, (node) => {
    if (types.isImportDeclaration(node)) addImports(uses, node);
    else if (types.isVariableDeclarator(node)) bind(uses, node.id, node.init);
    else if (types.isAssignmentExpression(node)) bind(uses, node.left, node.right);
    else if (types.isAssignmentPattern(node)) bind(uses, node.left, node.right);
    else if (types.isClassProperty(node) || types.isClassPrivateProperty(node) || types.isObjectProperty(node))
      bind(uses, node.key, node.value);
    else if (types.isExportSpecifier(node)) bind(uses, node.exported, node.local);
    else if (types.isMemberExpression(node) || types.isOptionalMemberExpression(node))
      addChain(uses.chains, chainOf(node));
    addTyped(uses, node);
  });
  return uses;
}

interface Mutable extends Uses {
  readonly imports: Uses["imports"][number][];
  readonly bound: Uses["bound"][number][];
  readonly chains: Chain[];
}

function addImports({ imports }: Mutable, { source, specifiers }: types.ImportDeclaration): void {
  for (const specifier of specifiers) {
    const imported = types.isImportSpecifier(specifier)
      ? nameOf(specifier.imported)
      : types.isImportNamespaceSpecifier(specifier)
        ? "*"
        : "default";
    if (imported !== undefined) imports.push({ specifier: source.value, imported, local: specifier.local.name });
  }
}

function bind(uses: Mutable, target: types.Node, value: types.Node | null | undefined): void {
  const to = value && chainOf(value);
  if (!to) return;
  if (types.isObjectPattern(target)) pick(uses, target, to);
  const chain = chainOf(target);
  const name = chain?.at(-1) ?? nameOf(target);
  if (name !== undefined) uses.bound.push({ name, to });
}

/** Adds the members of a pattern: `{ role, data: { schemas } } = pg` uses `pg.role` and `pg.data.schemas`. */
function pick(uses: Mutable, pattern: types.ObjectPattern, from: Chain): void {
  for (const property of pattern.properties) {
    if (!types.isObjectProperty(property)) continue;
    const name = nameOf(property.key);
    if (name === undefined) continue;
    const chain = [...from, name];
    uses.chains.push(chain);
    const target = types.isAssignmentPattern(property.value) ? property.value.left : property.value;
    if (types.isObjectPattern(target)) pick(uses, target, chain);
    const local = nameOf(target);
    if (local !== undefined) uses.bound.push({ name: local, to: chain });
  }
}

/** Binds a name with a type annotation to the type, as a call that returns the type does. */
function addTyped(uses: Mutable, node: types.Node): void {
  const annotated =
    "typeAnnotation" in node && types.isTSTypeAnnotation(node.typeAnnotation) ? node.typeAnnotation : undefined;
  const type = annotated?.typeAnnotation;
  if (!types.isTSTypeReference(type)) return;
  const typeName = types.isIdentifier(type.typeName) ? type.typeName.name : nameOf(Object(type.typeName).right);
  if (typeName === undefined) return;
  if (types.isObjectPattern(node)) pick(uses, node, [`:${typeName}`]);
  const name = nameOf(node) ?? ("key" in node && types.isNode(node.key) ? nameOf(node.key) : undefined);
  if (name !== undefined) uses.bound.push({ name, to: [`:${typeName}`] });
}

/** Returns undefined if the node is not a chain of names. */
function chainOf(node: types.Node): Chain | undefined {
  if (types.isIdentifier(node)) return [node.name];
  if (types.isThisExpression(node)) return ["this"];
  if (types.isAwaitExpression(node)) return chainOf(node.argument);
  if (types.isTSAsExpression(node) || types.isTSSatisfiesExpression(node) || types.isTSNonNullExpression(node)) {
    return chainOf(node.expression);
  }
  if (types.isParenthesizedExpression(node)) return chainOf(node.expression);
  if (types.isCallExpression(node) || types.isOptionalCallExpression(node)) {
    const called = types.isExpression(node.callee) ? chainOf(node.callee) : undefined;
    return called && [...called.slice(0, -1), `${called.at(-1)}()`];
  }
  if (!types.isMemberExpression(node) && !types.isOptionalMemberExpression(node)) return undefined;
  const name = node.computed && !types.isStringLiteral(node.property) ? undefined : nameOf(node.property);
  const object = chainOf(node.object);
  return name === undefined || object === undefined ? undefined : [...object, name];
}

function nameOf(node: unknown): string | undefined {
  const { type, name, value, id } = Object(node);
  if (type === "Identifier") return name;
  if (type === "PrivateName") return `#${id.name}`;
  return type === "StringLiteral" ? value : undefined;
}

function addChain(chains: Chain[], chain: Chain | undefined): void {
  if (chain) chains.push(chain);
}

/**
 * Names from the root on: `["pg", "data", "schemas"]`. A call is a name with `()`, a value of a type is `:` and the
 * type.
 */
export type Chain = readonly string[];

/** Imports, bindings and members in a file. */
export interface Uses {
  readonly imports: readonly { readonly specifier: string; readonly imported: string; readonly local: string }[];
  /** Variables, parameters and members that are bound to a chain. */
  readonly bound: readonly { readonly name: string; readonly to: Chain }[];
  /** Used members, including each prefix of a longer chain. */
  readonly chains: readonly Chain[];
}
