import { engine, Resource, type Context } from "../plugins/index.js";
const T = Resource("t:T", async function (this: Context<{v:number; id: string}, {v:number; dep?: unknown}>, id: string, props: {v: number; dep?: unknown}) {
  if (this.phase === "delete") { return this.destroy(); }
  return { v: props.v, id };
});
const rev = Number(process.env.REV ?? 1);
const app = await engine("my-app");
const a = await T("a", { v: rev });
const b = T("b", { v: 2, dep: a });
await engine.run("child", async () => { await T("c", { v: 3, dep: b }); });
if (rev < 3) await T("d", { v: 1});
await app.set("x", 1);
await app.finalize();
