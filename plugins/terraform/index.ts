/**
 * Resource types from any provider of Terraform and OpenTofu. `engine add` writes a module of types for each provider.
 * The module calls {@link provider}; a program does not need to.
 */
import type { Input } from "../../core/contract/index.js";
import type { ProviderDefinition, ProviderOptions } from "./generate/index.js";
import { openInRun } from "./lifecycle/connections.js";
import { Offering } from "./lifecycle/index.js";

export type { CtyType } from "./cty/index.js";
export type {
  Defined,
  DefinedFunction,
  DefinedType,
  ProviderDefinition,
  ProviderOptions,
  SchemaText,
} from "./generate/index.js";
// From its own file, because the declarations of the rest need the types of @grpc/grpc-js.
export type { ProviderResourceOptions } from "./lifecycle/managed.js";
export type { Capabilities, FunctionParameter, ProviderFunction } from "./schema/index.js";
export { type TerraformDataOutput, type TerraformDataProps, terraformData } from "./terraform-data.js";

/**
 * Defines a provider: returns a function that takes a configuration and returns an object with a function for each
 * type.
 *
 * @throws EngineError when called: `NO_SCOPE`; in a run `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`, `PROVIDER_FAILED`,
 * `PROVIDER_REFUSED`, `PACKAGE_MISSING` without `@grpc/grpc-js`; `PASSWORD_REQUIRED` for sensitive values, and for a
 * secret of the configuration that a resource returns; `INVALID_PROPS` for a configuration that is not a plain object
 */
export function provider<Config, Offered>(
  definition: ProviderDefinition,
): (config?: Input<Config>, options?: ProviderOptions<Config>) => Offered {
  const offering = new Offering(definition, openInRun);
  return (config, options = {}) => offering.configured(config ?? {}, options) as Offered;
}
