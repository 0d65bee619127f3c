/** Declares a site as STEP says: its second step changes nearly everything. */
import { engine, Resource } from "../../../plugins/index.js";

interface BucketProps {
  readonly region: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly password?: unknown;
}

const Bucket = Resource<{ region: string }, BucketProps>("planned:Bucket", {
  create: ({ props }) => ({ region: props.region }),
  update: ({ props }) => ({ region: props.region }),
  delete: () => {},
  replaceOn: ["region"],
});

const isSecond = process.env.STEP === "2";
const app = await engine("planned", { password: "correct-horse-battery" });
await Bucket("logs", { region: isSecond ? "eu-central-1" : "eu-west-1" });
await Bucket("a-bucket-with-a-name-of-some-length", {
  region: "eu",
  tags: isSecond ? { team: "web", owner: "somebody with a rather long name" } : { team: "infrastructure and platform" },
  password: engine.secret(isSecond ? "tomorrow" : "yesterday", "db"),
} as BucketProps);
await Bucket(isSecond ? "new" : "old", { region: "eu" });
await app.finalize();
