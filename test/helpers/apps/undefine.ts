import { processWide } from "../../../core/base/index.js";
import type { Definition } from "../../../core/contract/index.js";

/** As if the module that defines the kind had not been imported yet. */
export function undefine({ kind }: { readonly kind: string }): { define(): Definition } {
  const kinds = processWide("kinds@1", () => new Map<string, Definition>());
  const definition = kinds.get(kind);
  if (!definition) throw new Error(`"${kind}" is not defined.`);
  kinds.delete(kind);
  return {
    define: () => {
      kinds.set(kind, definition);
      return definition;
    },
  };
}
