/** Resources of the journey; each run sets the behaviour of their handlers. */

import type { HandlerBase, HandlersDefinition } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";

export interface Props {
  readonly value?: unknown;
  readonly name?: string;
}

export interface Output {
  readonly value: unknown;
}

export type Act = (context: HandlerBase & { readonly phase: string }) => unknown;

/** By `phase id`, e.g. `create a`; an error fails the handler. */
export const acts = new Map<string, Act>();

const called = (context: HandlerBase & { readonly phase: string }): unknown =>
  acts.get(`${context.phase} ${context.id}`)?.(context);

const handlers: HandlersDefinition<Output, Props> = {
  replaceOn: ["name"],
  async create(context) {
    await called(context);
    return { value: context.props.value };
  },
  async update(context) {
    await called(context);
    return { value: context.props.value };
  },
  async delete(context) {
    await called(context);
  },
};

export const Thing = Resource<Output, Props>("canary:Thing", handlers);

/** It is read in each run, and an interrupted create is recovered. */
export const Watched = Resource<Output, Props>("canary:Watched", {
  ...handlers,
  verify: true,
  async read(context) {
    await called(context);
    return context.output;
  },
});

/** The issues of its schema contain the value, as schemas' issues do. */
export const Checked = Resource<Output, Props>("canary:Checked", {
  ...handlers,
  schema: {
    "~standard": {
      version: 1,
      vendor: "canary",
      validate(props) {
        const { value, name } = Object(props);
        if (name === "throws") throw new Error(`not ${value.unencrypted}`);
        return { issues: [{ message: `not ${value.unencrypted}`, path: ["value"] }] };
      },
    },
  },
});
