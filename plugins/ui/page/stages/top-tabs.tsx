/** What there is of a store as a whole. */
import type { About } from "../../api/index.js";
import { Tabs } from "../parts/tabs.js";

export function TopTabs({ about, current }: { readonly about: About; readonly current: "stages" | "runs" }) {
  const runs = { name: "Runs", href: "#/runs" };
  const tabs = about.source === "store" ? [{ name: "Stages", href: "#/stages" }, runs] : [runs];
  return <Tabs label="Parts of the store" tabs={tabs} current={current} />;
}
