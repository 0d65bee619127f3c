/** Begins: exchanges the token of the address for a session, and shows what the address means. */
import { render } from "preact";
import { App } from "./app.js";
import { openSession } from "./data/ask.js";
import { embeddedRun } from "./data/embedded.js";
import { restoreTheme } from "./shell/theme.js";

restoreTheme();
const root = document.getElementById("app");
if (root) begin(root);

function begin(element: HTMLElement): void {
  const token = tokenOf(location.hash);
  if (!token || embeddedRun()) {
    render(<App isRefused={false} />, element);
    return;
  }
  // At once: it is to stand in no history, and in no picture of the screen.
  history.replaceState(null, "", `${location.pathname}${location.search}#${token.to}`);
  openSession(token.token).then(
    () => render(<App isRefused={false} />, element),
    () => render(<App isRefused={true} />, element),
  );
}

/** Of `#token=T&to=/stages`. */
function tokenOf(fragment: string): { readonly token: string; readonly to: string } | undefined {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const token = given.get("token");
  if (!token) return undefined;
  const to = given.get("to") ?? "/";
  return { token, to: to.startsWith("/") ? to : "/" };
}
