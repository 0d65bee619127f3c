import type { Schema } from "../../../../plugins/terraform/schema/index.js";
import { dataSources, resources } from "../fixture/provider.ts";
import { versionedBefore } from "../fixture/types/states.ts";

/** @param isOlder true: the schema before its new version */
export function schemaOf(type: string, isOlder: boolean): Schema {
  const kind = isOlder && type === "fixture_versioned" ? versionedBefore : (resources[type] ?? dataSources[type]);
  if (!kind) throw new Error(`There is no type "${type}".`);
  return kind.schema;
}
