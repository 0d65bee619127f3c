import type { Command } from "commander";
import { type Preference, readPreference, switchedOffBy, writePreference } from "../../telemetry/preference.js";
import { print } from "../output.js";

export function addTelemetry(program: Command): void {
  const telemetry = program
    .command("telemetry")
    .summary("see and set whether figures about runs may be sent")
    .description(
      "Shows and sets whether figures about runs may be sent. This version of scope-engine sends nothing; what is set here holds for those that do.",
    );
  telemetry
    .command("status")
    .description("Show what holds, and why.")
    .action(() => {
      print("This version of scope-engine sends nothing.");
      print(statusOf(readPreference(process.env)));
    });
  telemetry
    .command("enable")
    .description("Allow it for this user of this machine.")
    .action(() => print(statusOf(writePreference(process.env, true))));
  telemetry
    .command("disable")
    .description("Forbid it for this user of this machine.")
    .action(() => print(statusOf(writePreference(process.env, false))));
}

function statusOf({ enabled, file }: Preference): string {
  const variable = switchedOffBy(process.env);
  if (variable !== undefined) return `Telemetry is off: the environment variable ${variable} is set.`;
  if (enabled === false) return `Telemetry is off for this user: ${file}`;
  if (!process.env.ENGINE_TELEMETRY_KEY) return "Telemetry is off: no project key is set (ENGINE_TELEMETRY_KEY).";
  return enabled === true ? `Telemetry is allowed for this user: ${file}` : "Telemetry is allowed.";
}
