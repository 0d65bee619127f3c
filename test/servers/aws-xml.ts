/** The little XML that S3 needs. */

export type Xml = string | readonly (readonly [name: string, content: Xml])[];

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function xmlDocument(root: string, content: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

function element(name: string, content: Xml): string {
  const text =
    typeof content === "string"
      ? content.replace(/[&<>"]/g, (character) => entities[character] ?? character)
      : content.map(([name, inner]) => element(name, inner)).join("");
  return `<${name}>${text}</${name}>`;
}

/** The text of each element of that name. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => unescaped(text));
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (named[name ?? ""] ?? all) : String.fromCodePoint(Number(decimal));
  });
}
