/** Masks what a provider makes of a secret at the place of the secret: trimmed, in lower case, spelled in another way. */
import { holdsKnownSecret, mask } from "../../secrets/masked-start.js";
import { type CtyValue, Dynamic, isList, isRecord, memberOf } from "../cty/index.js";

/** @param given with known secrets @param made by the provider at the same places */
export function maskForms(given: CtyValue, made: CtyValue): void {
  if (given instanceof Dynamic) return maskForms(given.value, made);
  if (made instanceof Dynamic) return maskForms(given, made.value);
  if (typeof given === "string" && typeof made === "string") {
    if (made !== given && holdsKnownSecret(given)) mask(made);
  } else if (isList(given) && isList(made)) maskFormsInList(given, made);
  else if (isRecord(given) && isRecord(made)) {
    for (const name of Object.keys(given)) maskForms(memberOf(given, name), memberOf(made, name));
  }
}

/** Elements of a set may be in another order: each text that was not given may be made of the secret. */
function maskFormsInList(given: readonly CtyValue[], made: readonly CtyValue[]): void {
  const texts = given.filter((one) => typeof one === "string");
  if (texts.length === 0) for (const [index, one] of given.entries()) maskForms(one, made[index] ?? null);
  else if (texts.some(holdsKnownSecret)) {
    for (const one of made) if (typeof one === "string" && !texts.includes(one)) mask(one);
  }
}
