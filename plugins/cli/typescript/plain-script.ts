/** Recognises a file that the compiler would leave as it is, such as a long program that only declares resources. */
import { type ParseResult, types } from "@babel/core";

/** Nodes that every Node knows, and that the compiler does not change. Others are left to it. */
const PLAIN: ReadonlySet<string> = new Set([
  "File",
  "Program",
  "VariableDeclarator",
  "ExpressionStatement",
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
  "ArrowFunctionExpression",
  "AwaitExpression",
  "CallExpression",
  "MemberExpression",
  "ObjectExpression",
  "ObjectProperty",
  "ArrayExpression",
  "StringLiteral",
  "NumericLiteral",
  "BooleanLiteral",
  "NullLiteral",
  "UnaryExpression",
  "UpdateExpression",
  "BinaryExpression",
  "TemplateLiteral",
  "TemplateElement",
]);

/** Globals of CommonJS. */
export const COMMONJS = ["require", "module", "exports", "__dirname", "__filename"] as const;

/**
 * True for a module of plain JavaScript that uses each of its imports. It compares names and makes no scopes, which
 * take most of the memory of a compilation.
 */
export function isPlainScript(path: string, file: ParseResult): boolean {
  if (path.endsWith(".cts") || file.program.sourceType !== "module") return false;
  const names: Names = { imported: new Set(), declared: new Set(), used: new Set(), unused: new WeakSet() };
  let isPlain = true;
  types.traverseFast(file, (node) => {
    isPlain &&= isPlainNode(node);
    if (!isPlain) return types.traverseFast.stop;
    note(node, names);
    return types.isImportDeclaration(node) ? types.traverseFast.skip : undefined;
  });
  const { imported, declared, used } = names;
  if (!isPlain || COMMONJS.some((name) => used.has(name))) return false;
  return [...imported].every((name) => used.has(name) && !declared.has(name));
}

function isPlainNode(node: types.Node): boolean {
  if (types.isVariableDeclaration(node)) return node.kind === "const" || node.kind === "let";
  if (types.isIdentifier(node)) return node.optional !== true;
  return types.isImportDeclaration(node) ? isOfValues(node) : PLAIN.has(node.type);
}

function isOfValues({ importKind, specifiers }: types.ImportDeclaration): boolean {
  const kinds = [importKind, ...specifiers.map((one) => types.isImportSpecifier(one) && one.importKind)];
  return kinds.every((kind) => kind !== "type" && kind !== "typeof");
}

interface Names {
  readonly imported: Set<string>;
  readonly declared: Set<string>;
  readonly used: Set<string>;
  /** Identifiers that name a member or declare a variable. */
  readonly unused: WeakSet<types.Node>;
}

function note(node: types.Node, { imported, declared, used, unused }: Names): void {
  const declare = (one: types.Node): void => {
    unused.add(one);
    if (types.isIdentifier(one)) declared.add(one.name);
  };
  if (types.isImportDeclaration(node)) for (const { local } of node.specifiers) imported.add(local.name);
  else if (types.isVariableDeclarator(node)) declare(node.id);
  else if (types.isArrowFunctionExpression(node)) for (const one of node.params) declare(one);
  else if (types.isMemberExpression(node) && !node.computed) unused.add(node.property);
  else if (types.isObjectProperty(node) && !node.computed) unused.add(node.key);
  else if (types.isIdentifier(node) && !unused.has(node)) used.add(node.name);
}
