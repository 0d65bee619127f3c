/** All runs that the server knows, newest first. */
import type { About, RunRow } from "../../api/index.js";
import { useAnswer } from "../data/use-answer.js";
import { useEvery } from "../data/use-every.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Page } from "../shell/page.js";
import { RunList } from "./run-list.js";
import { TopTabs } from "./top-tabs.js";

export function RunsPage({ about }: { readonly about: About }) {
  const { data, failure, isLoading, reload } = useAnswer<readonly RunRow[]>("runs");
  useEvery(3_000, reload);
  return (
    <Page
      title="Runs"
      address="#/runs"
      isFull={(data?.length ?? 0) > 0}
      tabs={<TopTabs about={about} current="runs" />}
    >
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Loading the runs" />}
      {data?.length === 0 && (
        <Empty icon="clock" title="No run has been seen">
          A run shows here while this server is open: begin one with <code>engine up --ui</code>, or look at a folder of
          events with <code>engine ui --events runs</code>.
        </Empty>
      )}
      {data && data.length > 0 && <RunList runs={data} />}
    </Page>
  );
}
