/** Types of providers that no program has declared, known only from the provider's own schema. */
import type { Definition } from "../../../core/contract/index.js";
import { definitionOf } from "../../../core/resource/index.js";
import { openInRun } from "./connections.js";
import { dataSourceType } from "./data-source.js";
import { managedType } from "./managed.js";
import { configurationType, PROVIDER_KIND } from "./provider-config.js";

/** Returns the definition of a recorded kind. @param kind as recorded */
export function undeclaredType(kind: string): Definition | undefined {
  if (kind === PROVIDER_KIND) configurationType(openInRun);
  else {
    const [, data, called = ""] = /:(data\.)?(\w+)$/.exec(kind) ?? [];
    const managed = { kind, called, open: openInRun };
    if (data) dataSourceType({ ...managed, group: "dataSources" });
    else managedType({ ...managed, group: "resources" });
  }
  return definitionOf(kind);
}
