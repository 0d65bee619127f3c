export {
  type Defined,
  type DefinedFunction,
  type DefinedType,
  type ProviderDefinition,
  type ProviderOptions,
  type SchemaText,
  schemaIn,
} from "./definition.js";
export {
  functionName,
  GROUPS,
  generateModule,
  joined,
  type ModuleOf,
  NOTHING,
  type Offered,
  objectName,
  offeredBy,
  type Selection,
  selectionOf,
  type WrittenModule,
  writtenModule,
} from "./module.js";
export { countOf, select, stillOffered, used } from "./select.js";
