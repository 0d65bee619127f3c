/** Finds secrets: those that the source itself names so, and those that no variable of the environment can hold. */
import { plainLine } from "../internal/text/plain-text.js";
import {
  type Imported,
  type ImportedOutput,
  type ImportedResource,
  type Refusal,
  Sensitive,
  type SensitivePath,
} from "./contract.js";
import { Digits, type SettledResource } from "./program/settled.js";

/** Returns the address of a resource with a secret, or the name of an output; undefined if there is none. */
export function secretIn({ resources, outputs }: Imported): string | undefined {
  const output = outputs.find(({ isSensitive }) => isSensitive);
  return resources.find(holdsSecret)?.address ?? (output && plainLine(`output.${output.name}`));
}

function holdsSecret({ value }: ImportedResource): boolean {
  switch (value.by) {
    case "state": {
      if (value.sensitive.length === 0 || value.json === undefined) return false;
      const all: unknown = JSON.parse(value.json);
      return value.sensitive.some((path) => isPresent(all, path));
    }
    case "id":
      return false;
    case "bridge":
      return holdsSensitive(value.output);
    case "value":
      return holdsSensitive(value.props) || holdsSensitive(value.output);
  }
}

function isPresent(value: unknown, [step, ...rest]: SensitivePath): boolean {
  if (value === null || value === undefined) return false;
  // A path may lead into a set, whose elements have no names.
  return step === undefined || typeof value !== "object" || isPresent(Reflect.get(value, step), rest);
}

function holdsSensitive(value: unknown): boolean {
  if (value instanceof Sensitive) return value.value !== undefined;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSensitive);
}

/**
 * Returns refusals of secret objects and lists with a number that JavaScript would round. The program reads them as
 * JSON from the environment.
 */
export function roundedSecrets(
  resources: readonly SettledResource[],
  outputs: readonly ImportedOutput[],
): readonly Refusal[] {
  const secretOutputs = outputs.map(({ name, value, isSensitive }) => {
    return [name, isSensitive ? new Sensitive(value) : value] as const;
  });
  return [...resources, { address: "output", props: Object.fromEntries(secretOutputs) }].flatMap(({ address, props }) =>
    Object.entries(props).flatMap(([name, value]) =>
      pathsToRounded(value, [name]).map((path) => ({
        address,
        reason: `its secret "${path.join(".")}" holds a number with more digits than JavaScript's, and a variable of the environment would round it`,
        advice:
          "Let only single values of it be secret, with nonsensitive() around the number. Apply, and import again.",
      })),
    ),
  );
}

function pathsToRounded(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null || value instanceof Digits) return [];
  if (!(value instanceof Sensitive))
    return Object.entries(value).flatMap(([name, one]) => pathsToRounded(one, [...path, name]));
  const { value: whole } = value;
  return typeof whole === "object" && !(whole instanceof Digits) && holdsExact(whole) ? [path] : [];
}

function holdsExact(value: unknown): boolean {
  if (typeof value === "bigint" || value instanceof Digits) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsExact);
}
