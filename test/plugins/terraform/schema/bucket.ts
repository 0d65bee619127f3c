import type { Block } from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, computed, nested, optional, required } from "./shapes.js";

/** A schema with attributes and blocks of every kind. */
export const rule: Block = block({
  from_port: { type: "number", required: true },
  cidr_blocks: { type: ["set", "string"], optional: true },
  rule_id: computed,
});

export const bucket: Block = block(
  {
    id: computed,
    bucket_name: required,
    kept_for: { type: "number", optional: true, computed: true },
    is_public: { type: "bool", optional: true },
    all_tags: { type: ["map", "string"], optional: true },
    cors_rules: {
      type: ["list", ["object", { allowed_hosts: ["list", "string"], max_age: "number" }]],
      optional: true,
    },
    policy_value: { type: "dynamic", optional: true },
    log_in: nested("single", { user_name: required }),
    key_list: nested("list", { key_id: optional }),
  },
  {
    in_rule: blocks("list", rule, [0, 2]),
    out_rule: blocks("set", rule),
    by_name: blocks("map", rule),
    time_outs: blocks("single", block({ to_create: optional }), [0, 1]),
    all_defaults: blocks("group", block({ storage_class: optional })),
  },
);

/** The configuration with only the required values. */
export const nothing = {
  id: null,
  bucket_name: "b",
  kept_for: null,
  is_public: null,
  all_tags: null,
  cors_rules: null,
  policy_value: null,
  log_in: null,
  key_list: null,
  in_rule: [],
  out_rule: [],
  by_name: {},
  time_outs: null,
  all_defaults: { storage_class: null },
};
