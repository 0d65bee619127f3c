/** The server of the page. */
export { builtPage, pageWithEvents } from "./answer.js";
export { startServer, type UiServer } from "./serve.js";
