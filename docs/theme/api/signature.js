/** A call as it is written in a declaration. */
import { h } from "../jsx.js";

/** `name` is the name that a program writes, if it differs from the signature's own. */
export function signatureBlock(context, signature, { id, name } = {}) {
  const title = context.memberSignatureTitle(signature, { hideName: name !== undefined });
  return h("div", { class: "signature", id }, h("code", null, name ? h("b", null, name) : undefined, title));
}
