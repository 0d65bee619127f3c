/** Parts of names of resources, such as `urn:pulumi:prod::shop::my:Site$aws:s3/bucket:Bucket::assets`. */
import { isUnfit, oneLine } from "../one-line.js";

export interface Urn {
  readonly stack: string;
  readonly project: string;
  /** Token of the type, without those of its parents. */
  readonly type: string;
  readonly name: string;
  /**
   * The name without stack and project, for messages. It has no brackets, which would look like an instance's key, and
   * no line breaks.
   */
  readonly short: string;
}

export function urnIn(text: unknown): Urn | undefined {
  if (typeof text !== "string" || !text.startsWith("urn:pulumi:")) return undefined;
  const [stack = "", project, types, ...rest] = text.slice("urn:pulumi:".length).split("::");
  const name = rest.join("::");
  const type = types?.split("$").at(-1);
  if (!stack || !project || !types || !type || !name || isUnfit(`${stack}${project}${types}`)) return undefined;
  return { stack, project, type, name, short: oneLine(`${types}::${name}`) };
}
