/** Writes SVG. */

export type Attributes = Readonly<Record<string, string | number>>;

/** An element with its contents, which are markup already: see `text`. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`);
  const head = `<${name}${all.join("")}`;
  return children.length === 0 ? `${head}/>` : `${head}>${children.join("\n")}</${name}>`;
}

/** Any text as markup, also within an attribute. */
export function text(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
