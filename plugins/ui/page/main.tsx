/** Starts the page: exchanges the token in the address for a session, and renders the view of the address. */
import { render } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { About, Failure } from "../api/index.js";
import { failureOf, openSession } from "./data/ask.js";
import { embeddedRun, findKey } from "./data/key.js";
import { useAnswer, useEvery } from "./data/use-answer.js";
import { FleetPage } from "./fleet/fleet-page.js";
import { Empty, Loading, Trouble } from "./parts/notice.js";
import { ResourcePage } from "./resource/resource-page.js";
import { above, fragmentOf, go, type Route, useRoute } from "./router.js";
import { RunPage } from "./run/run-page.js";
import { Search } from "./search/search.js";
import { Header, restoreTheme } from "./shell/header.js";
import { measureScrollbars, Page } from "./shell/page.js";
import { Help, useShortcuts } from "./shell/shortcuts.js";
import { DifferencePage } from "./stage/difference-page.js";
import { StagePage } from "./stage/stage-page.js";
import { RunsPage } from "./stages/run-list.js";
import { StagesPage } from "./stages/stages-page.js";

restoreTheme();
measureScrollbars();

const root = document.getElementById("app");

if (root) {
  void begin(root);
  // The link of another server at this port was opened in this tab.
  addEventListener("hashchange", () => {
    if (tokenOf(location.hash) && !embeddedRun()) location.reload();
  });
}

async function begin(element: HTMLElement): Promise<void> {
  const refusal = embeddedRun() ? undefined : await enter();
  render(<App refusal={refusal} />, element);
}

/** Returns the reason if the server did not accept the token. */
async function enter(): Promise<Failure | undefined> {
  const token = tokenOf(location.hash);
  if (!token) {
    await findKey();
    return undefined;
  }
  // At once: the token must not appear in the history or in a screenshot.
  history.replaceState(null, "", `${location.pathname}${location.search}#${token.to}`);
  return openSession(token.token).then(() => undefined, failureOf);
}

/** Parses `#token=T&to=/stages`. */
function tokenOf(fragment: string): { readonly token: string; readonly to: string } | undefined {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const token = given.get("token");
  if (!token) return undefined;
  const to = given.get("to") ?? "/";
  return { token, to: to.startsWith("/") ? to : "/" };
}

/** Returns the description of an embedded run. */
function aboutFile(): About | undefined {
  const run = embeddedRun();
  if (!run) return undefined;
  const label = run.head ? `${run.head.app}/${run.head.stage}` : "a run";
  return { version: "", source: "events", label, run: run.head?.run ?? "", allowsChanges: false, canLook: false };
}

/** Milliseconds between two looks for the first run of the process. */
const AWAIT = 300;

function nothing(): void {}

function App({ refusal }: { readonly refusal: Failure | undefined }) {
  const file = useMemo(aboutFile, []);
  const answered = useAnswer<About>(file || refusal ? undefined : "about");
  const about = file ?? answered.data;
  const named = useRoute();
  const route = routeFor(named, about);
  const isAwaiting = !named && about?.isBeside === true && about.run === undefined;
  useEvery(AWAIT, isAwaiting ? answered.reload : nothing);
  const [open, setOpen] = useState<"search" | "help" | undefined>();
  const address = fragmentOf(route);
  const actions = useMemo(
    () => ({
      search: () => setOpen("search"),
      help: () => setOpen("help"),
      back: () => go(fragmentOf(above(route))),
    }),
    [address],
  );
  const shortcuts = useShortcuts(actions);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Header route={route} about={about} onSearch={actions.search} onHelp={actions.help} />
      {refusal ? (
        <Refused failure={refusal} />
      ) : isAwaiting ? (
        <Page title="Run" address="run">
          <Empty icon="clock" title="The run has not begun yet" />
        </Page>
      ) : about ? (
        <View route={route} about={about} />
      ) : (
        <Page title="scope-engine" address={address}>
          {answered.failure ? (
            ["NO_SESSION", "HTTP_401"].includes(answered.failure.code) ? (
              <NoSession />
            ) : (
              <Trouble failure={answered.failure} onRetry={answered.reload} />
            )
          ) : (
            <Loading label="Opening" />
          )}
        </Page>
      )}
      {open === "search" && about && <Search about={about} route={route} onClose={() => setOpen(undefined)} />}
      {open === "help" && <Help shortcuts={shortcuts} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Returns the view of the address; without one, the view that the page was opened for. */
function routeFor(named: Route | undefined, about: About | undefined): Route {
  const route = named ?? { page: "stages" };
  if (!about) return route;
  if (!named && about.run !== undefined) return { page: "run", run: about.run, tab: undefined };
  if (!named && about.fleet !== undefined) return { page: "fleet", fleet: about.fleet };
  if (!named && about.stage) return { page: "stage", ...about.stage, tab: "resources" };
  return route.page === "stages" && about.source !== "store" ? { page: "runs" } : route;
}

function View({ route, about }: { readonly route: Route; readonly about: About }) {
  switch (route.page) {
    case "stages":
      return <StagesPage about={about} />;
    case "runs":
      return <RunsPage about={about} />;
    case "fleet":
      return <FleetPage key={route.fleet} fleet={route.fleet} about={about} />;
    case "stage":
      return <StagePage key={`${route.app}/${route.stage}`} route={route} about={about} />;
    case "difference":
      return <DifferencePage route={route} />;
    case "resource":
      return <ResourcePage key={route.fqn} route={route} />;
    case "run":
      return <RunPage key={route.run} route={route} about={about} />;
    case "nowhere":
      return (
        <Page title="Nothing here" address={route.path}>
          <Empty icon="search" title="There is no page at this address">
            <a href="#/">Go to the first page</a>
          </Empty>
        </Page>
      );
  }
}

function Refused({ failure }: { readonly failure: Failure }) {
  if (failure.code !== "TOKEN_REFUSED") {
    return (
      <Page title="scope-engine" address="refused">
        <Trouble failure={failure} onRetry={() => location.reload()} />
      </Page>
    );
  }
  return (
    <Page title="Access refused" address="refused">
      <Empty icon="lock" title="This link is from another server, or from an earlier start">
        Each start of a command with a page prints a new link. Open the newest one.
      </Empty>
    </Page>
  );
}

function NoSession() {
  return (
    <Empty icon="lock" title="Open the link that the command printed">
      The link contains a token. This window was not opened with it, or the server was restarted since.
    </Empty>
  );
}
