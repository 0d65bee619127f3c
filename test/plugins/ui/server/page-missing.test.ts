import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { builtPage } from "../../../../plugins/ui/server/answer.ts";

test("the error of a missing page names a path that can be used", async () => {
  const path = join(process.cwd(), "my project", "index.html");
  await expect(builtPage(pathToFileURL(path))).rejects.toMatchObject({ message: expect.stringContaining(`"${path}"`) });
});
