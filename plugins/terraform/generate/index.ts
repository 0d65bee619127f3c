export {
  type Defined,
  type DefinedFunction,
  type DefinedType,
  type ProviderDefinition,
  type ProviderOptions,
  type SchemaText,
  schemaIn,
} from "./definition.js";
export { functionName, generateModule, type ModuleOf, objectName } from "./module.js";
export { joined, NOTHING, type Selection, selectionOf, type WrittenModule, writtenModule } from "./module-header.js";
export { GROUPS, type Offered, offeredBy } from "./provider-names.js";
export { countOf, select, stillOffered, used } from "./select.js";
