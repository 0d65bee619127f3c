import ts from "typescript";

export interface SourceImport {
  /** Absent if the module is computed: `import(path)`. */
  readonly specifier: string | undefined;
  /** `type` leaves no trace in the built file. */
  readonly kind: "static" | "dynamic" | "type";
  readonly line: number;
}

/** The imports of each file of the project. */
export type Imports = ReadonlyMap<string, readonly SourceImport[]>;

/** Cached imports by text: several test files that share a process read all sources. */
const known = new Map<string, readonly SourceImport[]>();

/** Everything that a source text imports or re-exports, in its order. */
export function importsOf(text: string): readonly SourceImport[] {
  const found = known.get(text) ?? foundIn(text);
  known.set(text, found);
  return found;
}

function foundIn(text: string): SourceImport[] {
  /** Otherwise all of them are statements of the file, and nothing after the last module name needs to be parsed. */
  const isNested = /\b(?:import|require)\s*\(/.test(text);
  const end = Math.max(...['from "', 'import "', "require("].map((before) => text.lastIndexOf(before)));
  const parsed = isNested ? text : text.slice(0, text.indexOf("\n", Math.max(end, 0)));
  const source = ts.createSourceFile("source.ts", parsed, ts.ScriptTarget.Latest);
  const found: SourceImport[] = [];
  const visit = (node: ts.Node): void => {
    const one = importOf(node);
    if (one) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({
        specifier: one.module && ts.isStringLiteralLike(one.module) ? one.module.text : undefined,
        line,
        kind: one.kind,
      });
    }
    if (isNested || node === source) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): { module: ts.Node | undefined; kind: SourceImport["kind"] } | undefined {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { module: node.moduleSpecifier, kind: isType ? "type" : "static" };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { module: node.moduleSpecifier, kind: node.isTypeOnly ? "type" : "static" };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { module: node.moduleReference.expression, kind: node.isTypeOnly ? "type" : "static" };
  }
  if (ts.isImportTypeNode(node)) {
    return { module: ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, kind: "type" };
  }
  if (ts.isCallExpression(node) && isLoader(node.expression)) return { module: node.arguments[0], kind: "dynamic" };
  return undefined;
}

function isLoader(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}
