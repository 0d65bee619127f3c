/** What answers the page. */
export { builtPage, pageWithEvents } from "./page.js";
export { startServer, type UiServer } from "./serve.js";
