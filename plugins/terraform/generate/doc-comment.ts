/** Descriptions of providers as TSDoc. Pure. */

export interface Documented {
  readonly description?: string | undefined;
  readonly deprecated?: boolean | string | undefined;
}

const WIDTH = 118;
const OLD = "The provider wants it not to be used any more.";

/** Lines with the indent, each with its end; empty where there is nothing to say. */
export function docComment({ description = "", deprecated }: Documented, indent = ""): string {
  const said = tidy(description);
  const old = deprecated ? `@deprecated ${tidy(deprecated === true || deprecated === "" ? OLD : deprecated)}` : "";
  const lines = [...said.split("\n"), ...old.split("\n")].filter(
    (line, at, all) => line !== "" || (at > 0 && at < all.length - 1),
  );
  if (said === "" && old === "") return "";
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && only.length + indent.length < WIDTH)
    return `${indent}/** ${only} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ""].join("\n");
}

/** What would end the comment, or begin a tag of its own, does neither. */
function tidy(text: string): string {
  return text
    .replaceAll("\r", "")
    .replaceAll("*/", "*\\/")
    .replaceAll(/(^|[\s{(])@(?=\w)/gm, "$1\\@")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
