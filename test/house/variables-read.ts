/** Which environment variables a source reads. */
import ts from "typescript";

const isName = (text: string): boolean => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text) && text.length > 1;

/**
 * Names that are members of something called `env`, that are taken out of an environment by destructuring, or, where a
 * source looks variables up by computed names, that stand in lists.
 */
export function variablesRead(source: string): Set<string> {
  // Parsing takes long, and few files can have anything.
  if (!/\benv\b|\bEnvironment\b/.test(source)) return new Set();
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const strings: string[] = [];
  let isComputed = false;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && isEnvironment(node.expression)) names.add(node.name.text);
    else if (ts.isElementAccessExpression(node) && isEnvironment(node.expression)) isComputed = true;
    else if (ts.isObjectBindingPattern(node) && isFromEnvironment(node.parent)) {
      for (const { propertyName, name } of node.elements) names.add((propertyName ?? name).getText());
    } else if (ts.isArrayLiteralExpression(node))
      strings.push(...node.elements.filter(ts.isStringLiteral).map(({ text }) => text));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return new Set([...names, ...(isComputed ? strings : [])].filter(isName));
}

function isEnvironment(expression: ts.Expression): boolean {
  return /(^|\.)env$/.test(expression.getText());
}

function isFromEnvironment(parent: ts.Node): boolean {
  if (ts.isParameter(parent)) return parent.type?.getText() === "Environment";
  return ts.isVariableDeclaration(parent) && /\benv\b/.test(parent.initializer?.getText() ?? "");
}
