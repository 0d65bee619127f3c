/** Finds a secret that the source itself names as one. */
import { type Imported, type ImportedResource, Sensitive, type SensitivePath } from "./contract.js";

/** Returns the address of a resource with a secret, or the name of an output; undefined if there is none. */
export function secretIn({ resources, outputs }: Imported): string | undefined {
  const output = outputs.find(({ isSensitive }) => isSensitive);
  return resources.find(holdsSecret)?.address ?? (output && `output.${output.name}`);
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
