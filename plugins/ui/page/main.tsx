/** Begins: exchanges the token of the address for a session, and shows what the address means. */
import { render } from "preact";
import { App } from "./app.js";
import { openSession } from "./data/ask.js";
import { embeddedRun } from "./data/embedded.js";
import { findKey } from "./data/key.js";
import { restoreTheme } from "./shell/theme.js";

restoreTheme();
const root = document.getElementById("app");
if (root) {
  void begin(root);
  // The link of another server at this port, opened in this tab.
  addEventListener("hashchange", () => {
    if (tokenOf(location.hash) && !embeddedRun()) location.reload();
  });
}

async function begin(element: HTMLElement): Promise<void> {
  const isLetIn = embeddedRun() !== undefined || (await enter());
  render(<App isRefused={!isLetIn} />, element);
}

/** False where the token is not taken. */
async function enter(): Promise<boolean> {
  const token = tokenOf(location.hash);
  if (!token) {
    await findKey();
    return true;
  }
  // At once: it is to stand in no history, and in no picture of the screen.
  history.replaceState(null, "", `${location.pathname}${location.search}#${token.to}`);
  return openSession(token.token).then(
    () => true,
    () => false,
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
