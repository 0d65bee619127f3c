import { expect, it } from "vitest";
import type { StandardSchema } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newKind, World } from "../../helpers/apps/world.ts";

interface Props {
  readonly names: readonly string[];
}

it("a schema does not see a value of a resource that is left out, also if it stands in a list", async () => {
  const Thing = new World().type();
  const seen: unknown[] = [];
  const validate = (value: unknown) => {
    seen.push(value);
    return { value: value as Props };
  };
  const schema: StandardSchema<Props> = { "~standard": { version: 1, vendor: "test", validate } };
  const Checked = Resource<object, Props>(newKind(), {
    schema,
    create: () => ({}),
    delete: () => {},
  });
  const program = async () => Checked("web", { names: ["a", (await Thing("db")).thing] });
  const failures = await new Stage().failures(program, { target: ["app/dev/web"] });
  expect(failures).toMatchObject([{ code: "UNKNOWN_VALUE", fqn: "app/dev/web" }]);
  expect(seen).toEqual([]);
});
