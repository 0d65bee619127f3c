/** Starts the page: exchanges the token in the address for a session, and renders the view of the address. */
import { render } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { About } from "../api/index.js";
import { openSession } from "./data/ask.js";
import { embeddedRun, findKey } from "./data/key.js";
import { useAnswer } from "./data/use-answer.js";
import { FleetPage } from "./fleet/fleet-page.js";
import { Empty, Loading, Trouble } from "./parts/notice.js";
import { ResourcePage } from "./resource/resource-page.js";
import { above, fragmentOf, go, type Route, useRoute } from "./router.js";
import { RunPage } from "./run/run-page.js";
import { Search } from "./search/search.js";
import { Header, restoreTheme } from "./shell/header.js";
import { Page } from "./shell/page.js";
import { Help, useShortcuts } from "./shell/shortcuts.js";
import { DifferencePage } from "./stage/difference-page.js";
import { StagePage } from "./stage/stage-page.js";
import { RunsPage } from "./stages/run-list.js";
import { StagesPage } from "./stages/stages-page.js";

restoreTheme();

const root = document.getElementById("app");

if (root) {
  void begin(root);
  // The link of another server at this port was opened in this tab.
  addEventListener("hashchange", () => {
    if (tokenOf(location.hash) && !embeddedRun()) location.reload();
  });
}

async function begin(element: HTMLElement): Promise<void> {
  const isLetIn = embeddedRun() !== undefined || (await enter());
  render(<App isRefused={!isLetIn} />, element);
}

/** Returns false if the token is refused. */
async function enter(): Promise<boolean> {
  const token = tokenOf(location.hash);
  if (!token) {
    await findKey();
    return true;
  }
  // At once: the token must not appear in the history or in a screenshot.
  history.replaceState(null, "", `${location.pathname}${location.search}#${token.to}`);
  return openSession(token.token).then(
    () => true,
    () => false,
  );
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

function App({ isRefused }: { readonly isRefused: boolean }) {
  const file = useMemo(aboutFile, []);
  const answered = useAnswer<About>(file || isRefused ? undefined : "about");
  const about = file ?? answered.data;
  const route = routeFor(useRoute(), about);
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
      {isRefused ? (
        <Refused />
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

function Refused() {
  return (
    <Page title="Access refused" address="refused">
      <Empty icon="lock" title="This link is from another server, or from an earlier start">
        Each start of <code>engine ui</code> prints a new link. Open the newest one.
      </Empty>
    </Page>
  );
}

function NoSession() {
  return (
    <Empty icon="lock" title="Open the link that the command printed">
      <code>engine ui</code> prints a link with a token. This window was not opened with it, or the server was restarted
      since.
    </Empty>
  );
}
