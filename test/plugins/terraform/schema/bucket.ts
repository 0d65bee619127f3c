import type { Block } from "../../../../plugins/terraform/schema/index.js";

/** A schema with attributes and blocks of every kind. */
export const rule: Block = {
  attributes: {
    from_port: { type: "number", required: true },
    cidr_blocks: { type: ["set", "string"], optional: true },
    rule_id: { type: "string", computed: true },
  },
  blocks: {},
};

export const bucket: Block = {
  attributes: {
    id: { type: "string", computed: true },
    bucket_name: { type: "string", required: true },
    kept_for: { type: "number", optional: true, computed: true },
    is_public: { type: "bool", optional: true },
    all_tags: { type: ["map", "string"], optional: true },
    cors_rules: {
      type: ["list", ["object", { allowed_hosts: ["list", "string"], max_age: "number" }]],
      optional: true,
    },
    policy_value: { type: "dynamic", optional: true },
    log_in: {
      type: ["object", { user_name: "string" }],
      optional: true,
      nested: { nesting: "single", attributes: { user_name: { type: "string", required: true } } },
    },
    key_list: {
      type: ["list", ["object", { key_id: "string" }]],
      optional: true,
      nested: { nesting: "list", attributes: { key_id: { type: "string", optional: true } } },
    },
  },
  blocks: {
    in_rule: { nesting: "list", block: rule, minItems: 0, maxItems: 2 },
    out_rule: { nesting: "set", block: rule, minItems: 0, maxItems: 0 },
    by_name: { nesting: "map", block: rule, minItems: 0, maxItems: 0 },
    time_outs: {
      nesting: "single",
      block: { attributes: { to_create: { type: "string", optional: true } }, blocks: {} },
      minItems: 0,
      maxItems: 1,
    },
    all_defaults: {
      nesting: "group",
      block: { attributes: { storage_class: { type: "string", optional: true } }, blocks: {} },
      minItems: 0,
      maxItems: 0,
    },
  },
};

/** What is configured where only what must be given is. */
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
