/** The resource `terraform_data` of Terraform and OpenTofu, which needs no provider. */
import { uuid } from "../../core/base/index.js";
import type { Input, PendingResource, ReadContext, ResourceOptions } from "../../core/contract/index.js";
import { currentScope } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { givenFor, remember } from "./lifecycle/given.js";

/** Props of {@link terraformData}. */
export interface TerraformDataProps<Value> {
  /** The value to keep. */
  readonly input?: Value;
  /** A change of this value replaces the resource, and so everything that lists it in `replaceOnChanges`. */
  readonly triggersReplace?: unknown;
}

/** Output of {@link terraformData}. */
export interface TerraformDataOutput<Value> {
  /** A random id, as long as the resource is not replaced. */
  readonly id: string;
  readonly input: Value;
  /** The input. */
  readonly output: Value;
}

type Data = TerraformDataOutput<unknown>;
type Props = TerraformDataProps<unknown>;

const outputOf = (id: string, { input }: Props): Data => ({ id, input, output: input });

/** Kind of its records. */
export const DATA_KIND = "terraform:Data";

const type = Resource<Data, Props>(DATA_KIND, {
  replaceOn: ["triggersReplace"],
  create: ({ props }) => outputOf(uuid(), props),
  read(context: ReadContext<Data, Props>) {
    if (context.output) return context.output;
    const { importId } = givenFor(context);
    return importId !== undefined && context.adopt ? outputOf(importId, context.props) : undefined;
  },
  update: ({ props, output }) => outputOf(output.id, props),
  delete: () => {},
  recognizesOwn: true,
  refersByMember: true,
});

/**
 * Keeps a value, as `terraform_data` does. In a program of its own, a variable is simpler.
 *
 * @param options `importId` with `adopt: true` takes over a resource with this id
 */
export function terraformData<Value>(
  id: string,
  props: Input<TerraformDataProps<Value>> = {} as Input<TerraformDataProps<Value>>,
  { importId, ...options }: ResourceOptions & { readonly importId?: string } = {},
): PendingResource<TerraformDataOutput<Value>> {
  remember(currentScope(), id, importId === undefined ? {} : { importId });
  return type(id, props, options) as PendingResource<TerraformDataOutput<Value>>;
}
