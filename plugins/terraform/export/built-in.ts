/** `terraform_data`, which Terraform and OpenTofu have without a provider. */
import type { ProviderSchema, Schema } from "../schema/index.js";
import { DATA_KIND } from "../terraform-data.js";
import type { Configuration } from "./providers.js";
import type { Decoded } from "./records.js";

export const DATA: Schema = {
  version: 0,
  block: {
    attributes: {
      id: { type: "string", computed: true },
      input: { type: "dynamic", optional: true },
      output: { type: "dynamic", computed: true },
      triggers_replace: { type: "dynamic", optional: true },
    },
    blocks: {},
  },
};

const SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: { terraform_data: DATA },
  dataSources: {},
  ephemeral: {},
  functions: {},
  capabilities: { planDestroy: false, schemaOptional: true, moveResourceState: false },
};

/** The configuration of all its resources, which no file mentions. */
const BUILT_IN: Configuration = {
  key: "",
  fqn: "",
  source: "terraform.io/builtin/terraform",
  local: "terraform",
  config: {},
  env: [],
  withheld: [],
  schema: SCHEMA,
  version: undefined,
};

interface BuiltIn {
  readonly configuration: Configuration;
  readonly type: string;
  readonly schema: Schema;
}

/** Returns undefined for a resource of a provider. */
export function builtIn({ record }: Decoded): BuiltIn | undefined {
  return record.kind === DATA_KIND ? { configuration: BUILT_IN, type: "terraform_data", schema: DATA } : undefined;
}

/** The output of `terraformData` has no triggers, but the state of `terraform_data` has. */
export function builtInOutput({ record, props, output }: Decoded): unknown {
  return record.kind === DATA_KIND ? { ...Object(output), triggersReplace: props.triggersReplace } : output;
}
