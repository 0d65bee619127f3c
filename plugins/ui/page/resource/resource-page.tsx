/** One resource: what is recorded of it, what it stands among, and every value that it had. */
import type { ResourceDetail, ResourceView, ValuePart } from "../../api/index.js";
import { ask, stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Icon } from "../parts/icon.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import type { PartSource } from "../parts/rest.js";
import { Tabs } from "../parts/tabs.js";
import { When } from "../parts/time.js";
import { Value } from "../parts/value.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute, type ResourceTab } from "../router.js";
import { belowStage } from "../shell/header.js";
import { Page } from "../shell/page.js";
import { Facts } from "./facts.js";
import { Neighbours } from "./neighbours.js";
import { Values } from "./values.js";

export function ResourcePage({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn, tab } = route;
  const path = `${stagePath(app, stage)}/resource?fqn=${encodeURIComponent(fqn)}`;
  const { data, failure, isLoading, reload } = useAnswer<ResourceView>(path);
  const hrefOf = (one: ResourceTab): string => fragmentOf({ ...route, tab: one });
  const present = data?.copies[0];
  const part = `${stagePath(app, stage)}/part?fqn=${encodeURIComponent(fqn)}&seq=${data?.seq}`;
  const source: PartSource = (at, from) => ask<ValuePart>(`${part}&path=${encodeURIComponent(at)}&from=${from}`);
  const tabs = [
    { name: "Values", href: hrefOf("values") },
    { name: "Graph", href: hrefOf("graph") },
    { name: "History", href: hrefOf("history") },
  ];
  return (
    <Page
      title={visible(belowStage(fqn, app, stage).slice(0, 400))}
      address={`resource ${fqn}`}
      aside={
        present && (
          <>
            <Pill word={present.status} />
            <code class="soft">{visible(present.kind.slice(0, 200))}</code>
          </>
        )
      }
      tabs={<Tabs label="Parts of the resource" tabs={tabs} current={tab} />}
    >
      {tab === "values" && (
        <>
          {failure && <Trouble failure={failure} onRetry={reload} />}
          {isLoading && <Loading label="Loading the resource" />}
          {data?.copies.length === 0 && <Gone route={route} />}
          {data?.copies.map((copy, index) => (
            <Recorded
              key={copy.uid}
              copy={copy}
              isOld={index > 0}
              route={route}
              source={index > 0 ? undefined : source}
            />
          ))}
        </>
      )}
      {tab === "graph" && <Neighbours route={route} />}
      {tab === "history" && <Values route={route} />}
    </Page>
  );
}

function Gone({ route }: { readonly route: ResourceRoute }) {
  return (
    <Empty icon="scope" title="Not recorded any more">
      <a href={fragmentOf({ ...route, tab: "history" })}>The values that it had</a>
    </Empty>
  );
}

interface RecordedProps {
  readonly copy: ResourceDetail;
  readonly isOld: boolean;
  readonly route: ResourceRoute;
  readonly source: PartSource | undefined;
}

function Recorded({ copy, isOld, route, source }: RecordedProps) {
  const { status, error, since, output, props, lastGoodProps, data } = copy;
  return (
    <article aria-label={isOld ? "An old copy" : "The present copy"}>
      {isOld && (
        <h2 class="section">
          An old copy <span class="soft">waits for its deletion</span>
        </h2>
      )}
      {status !== "ready" && (
        <div class="banner" data-tone="warn" role="note">
          <Icon name="alert" size={18} />
          <div>
            <p>
              <strong>Pending:</strong> its {STATUS_WORDS[status]} has not ended well
              {since !== undefined && (
                <>
                  , since <When at={since} />
                </>
              )}
              . The next <code>up</code> goes on from there.
            </p>
            {error !== undefined && <pre class="message">{visibleLines(error.slice(0, 20_000))}</pre>}
          </div>
        </div>
      )}
      <div class="columns">
        <div>
          <Section title="Output" path="/output" source={source} value={output} none="none is recorded" />
          <Section title="Props" path="/props" source={source} value={props} none="none" />
          {lastGoodProps !== undefined && (
            <Section
              title="Props of the last success"
              path="/lastGoodProps"
              source={source}
              value={lastGoodProps}
              none="none"
            />
          )}
          {Object.keys(data).length > 0 && (
            <Section title="Data" path="/data" source={source} value={data} none="none" />
          )}
        </div>
        <Facts copy={copy} route={route} />
      </div>
    </article>
  );
}

const STATUS_WORDS = { ready: "work", creating: "create", updating: "update", deleting: "delete" } as const;

interface SectionProps {
  readonly title: string;
  readonly value: unknown;
  readonly none: string;
  readonly path: string;
  readonly source: PartSource | undefined;
}

function Section({ title, value, none, path, source }: SectionProps) {
  return (
    <section class="card values" aria-label={title}>
      <h2 class="card-title">{title}</h2>
      {value === undefined ? <p class="soft">{none}</p> : <Value value={value} path={path} source={source} />}
    </section>
  );
}
