/** Names that stand in the sources: members of interfaces, strings, environment variables. */
import ts from "typescript";
import { filesBelow, read } from "../../test/house/project.js";

/** The members of an interface that a file below the path declares, each with its type as it is written. */
function typesOf(name: string, path: string): Map<string, string> {
  const declares = new RegExp(`^(export )?interface ${name}\\b`, "m");
  const files = path.endsWith(".ts") ? [path] : filesBelow(path, (file) => file.endsWith(".ts"));
  const file = files.find((one) => declares.test(read(one)));
  if (file === undefined) throw new Error(`${path} has no interface ${name}.`);
  const found = parsed(read(file)).statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
  const members = found && ts.isInterfaceDeclaration(found) ? found.members : [];
  return new Map(
    members.flatMap((member): [string, string][] => {
      if (!member.name || !(ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))) return [];
      return [[member.name.text, ts.isPropertySignature(member) ? (member.type?.getText() ?? "") : ""]];
    }),
  );
}

export function membersOf(name: string, path: string): string[] {
  return [...typesOf(name, path).keys()];
}

/** Every string in a source text. */
export function stringsIn(text: string): Set<string> {
  const strings = new Set<string>();
  visit(parsed(text), (node) => {
    if (ts.isStringLiteralLike(node)) strings.add(node.text);
  });
  return strings;
}

/** The values of an object literal by their keys, as they are written. */
export function valuesOf(variable: string, text: string): Map<string, string> {
  const values = new Map<string, string>();
  visit(parsed(text), (node) => {
    if (!ts.isPropertyAssignment(node)) return;
    const owner = ts.findAncestor(node, ts.isVariableDeclaration);
    if (owner?.name.getText() === variable) values.set(node.name.getText(), node.initializer.getText());
  });
  return values;
}

/**
 * Environment variables that a source reads: members of something called `env`, members destructured from an
 * environment, and, if the source computes names of members, the names in its lists.
 */
export function variablesRead(text: string): string[] {
  if (!/\benv\b|\bEnvironment\b/.test(text)) return [];
  const names = new Set<string>();
  const listed: string[] = [];
  let isComputed = false;
  const isEnvironment = (node: ts.Node | undefined): boolean => /(^|\.)env\b/.test(node?.getText() ?? "");
  visit(parsed(text), (node) => {
    if (ts.isPropertyAccessExpression(node) && isEnvironment(node.expression)) names.add(node.name.text);
    else if (ts.isElementAccessExpression(node) && isEnvironment(node.expression)) isComputed = true;
    else if (ts.isObjectBindingPattern(node)) {
      const { parent } = node;
      const from = ts.isParameter(parent)
        ? parent.type?.getText() === "Environment"
        : isEnvironment(parent.initializer);
      if (from) for (const { propertyName, name } of node.elements) names.add((propertyName ?? name).getText());
    } else if (ts.isArrayLiteralExpression(node))
      listed.push(...node.elements.filter(ts.isStringLiteral).map((one) => one.text));
  });
  return [...names, ...(isComputed ? listed : [])].filter((name) => /^[A-Z][A-Z0-9]+(_[A-Z0-9]+)*$/.test(name));
}

function parsed(text: string): ts.SourceFile {
  return ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
