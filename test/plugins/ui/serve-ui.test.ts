import { expect, test } from "vitest";
import { type ServedUi, type ServeUiOptions, serveUi, type UiOptions, ui } from "../../../plugins/ui/index.js";
import { pageWithEvents } from "../../../plugins/ui/server/index.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { HTML } from "./asking.js";

test("there has to be something to show", async () => {
  const served = (options: ServeUiOptions): Promise<ServedUi> => serveUi(options);
  expect((await rejectedCode(served({})))[0]).toBe("INVALID_OPTION");
  const options: UiOptions = { port: 0 };
  expect(ui(options).name).toBe("ui");
});

test("a page with a run in it is one file: nothing in the events ends the element that they stand in", () => {
  const hostile = { type: "resource:log", time: "", message: "</script><script>alert(1)</script><!--<script>\u2028$&" };
  const page = pageWithEvents(HTML, [JSON.stringify(hostile)]);
  const [, data = ""] = /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data)).toEqual([hostile]);
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  expect(page).not.toMatch(/connect-src|https?:/);
});
