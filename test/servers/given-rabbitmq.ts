/** The RabbitMQ that all tests share: that of `TEST_RABBITMQ_URL`, or one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { rabbitmqUrlIn } from "./variables.js";

const lacks = rabbitmqUrlIn(process.env) === undefined ? await given("rabbitmq") : undefined;

/** A block of tests that need RabbitMQ. Tests share it, so each uses names of its own. See `describeUnless`. */
export function describeWithRabbitmq(name: string, body: (url: string) => void): void {
  describeUnless(lacks, name, () => body(rabbitmqUrlIn(process.env) ?? "http://rabbitmq.invalid"));
}
