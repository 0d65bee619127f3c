/** A provider that uses every feature. */
import type { ModuleOf } from "../../../../plugins/terraform/generate/index.js";
import { attribute, blocks, providerSchema, schemaOf } from "./schemas.ts";

const schema = providerSchema({
  provider: schemaOf({
    attributes: {
      host: attribute("string", "required"),
      password: attribute("string", "optional sensitive"),
      sslmode: attribute("string", "optional", { description: "One of `disable`, `require` or `verify-full`." }),
    },
  }),
  resources: {
    postgresql_role: schemaOf({
      description: "A role. Ends no comment: */",
      attributes: {
        id: attribute("string", "computed"),
        name: attribute("string", "required", { description: "Its name." }),
        login: attribute("bool", "optional", { deprecated: true }),
        password: attribute("string", "optional sensitive"),
        password_wo: attribute("string", "optional writeOnly"),
        connection_limit: attribute("number", "optional computed"),
        roles: attribute(["set", "string"], "optional"),
        search_path: attribute(["map", ["list", "string"]], "optional"),
        settings: attribute(["object", { max_rows: "number", __proto: "bool" }], "optional"),
        _odd: attribute("string", "optional"),
        a_b: attribute("string", "optional"),
        aB: attribute("string", "optional"),
        token: attribute(["list", "string"], "computed sensitive"),
        quota: {
          ...attribute(["list", ["object", { size_gb: "number" }]], "optional"),
          nested: {
            nesting: "list",
            attributes: { size_gb: attribute("number", "required"), used: attribute("number", "computed") },
          },
        },
      },
      blocks: {
        grant: blocks("set", 1, {
          attributes: { on_table: attribute("string", "required"), made_at: attribute("string", "computed") },
        }),
        timeouts: blocks("single", 0, { attributes: { create: attribute("string", "optional") } }),
        label: blocks("map", 0, { attributes: { value: attribute("string", "optional") } }),
      },
    }),
    postgresql_data: schemaOf({ attributes: { id: attribute("string", "computed") } }),
    postgresql_left_out: schemaOf({}),
  },
  dataSources: {
    postgresql_schemas: schemaOf({
      attributes: { database: attribute("string", "required"), schemas: attribute(["list", "string"], "computed") },
    }),
  },
  ephemeral: { postgresql_token: schemaOf({ attributes: { value: attribute("string", "computed sensitive") } }) },
  functions: {
    quote_ident: {
      parameters: [{ name: "ident", type: "string", allowsNull: false, allowsUnknown: false }],
      variadic: { name: "more", type: "string", allowsNull: true, allowsUnknown: false },
      returns: ["object", { quoted_name: "string" }],
      summary: "Quotes.",
    },
  },
});

/** Settings of its module. */
export const all: ModuleOf = {
  source: "registry.opentofu.org/cyrilgdn/postgresql",
  type: "postgresql",
  range: "^1.25.0",
  version: "1.25.0",
  schema,
  resources: ["data_", "role"],
  dataSources: ["schemas"],
  ephemeral: ["token"],
  functions: ["quoteIdent"],
};
