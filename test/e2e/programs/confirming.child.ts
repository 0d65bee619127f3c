/** Declares as many resources as COUNT says. */
import { engine, Resource } from "../../../plugins/index.js";

const Thing = Resource("e2e:ConfirmedThing", { create: ({ id }) => ({ id }), delete: () => {} });

const app = await engine("confirming");
for (let number = 1; number <= Number(process.env.COUNT); number++) await Thing(`n${number}`);
await app.finalize();
