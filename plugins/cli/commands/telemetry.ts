import type { Command } from "commander";
import { type Preference, readPreference, writePreference } from "../../telemetry/anonymous-id.js";
import { isOnlyShown, switchedOffBy } from "../../telemetry/switches.js";
import { print } from "../output.js";

export function addTelemetry(program: Command): void {
  const telemetry = program
    .command("telemetry")
    .summary("show or change whether statistics about runs may be sent")
    .description(
      "Show or change whether anonymous statistics about runs may be sent, for you on this machine. Nothing is sent without a project key (ENGINE_TELEMETRY_KEY).",
    );
  telemetry
    .command("status")
    .description("Show whether telemetry is on, and why.")
    .action(() => print(statusOf(readPreference(process.env))));
  telemetry
    .command("enable")
    .description("Allow telemetry for this user on this machine.")
    .action(() => print(statusOf(writePreference(process.env, true))));
  telemetry
    .command("disable")
    .description("Forbid telemetry for this user on this machine.")
    .action(() => print(statusOf(writePreference(process.env, false))));
}

function statusOf({ enabled, file }: Preference): string {
  const variable = switchedOffBy(process.env);
  if (variable !== undefined) return `Telemetry is off: the environment variable ${variable} is set.`;
  if (file === undefined) return "Telemetry is off: there is no folder for your settings (HOME is not set).";
  if (enabled === false) return `Telemetry is off for this user (recorded in ${file}).`;
  if (!process.env.ENGINE_TELEMETRY_KEY) {
    return "Telemetry is off: no project key is set (ENGINE_TELEMETRY_KEY). A program may still send its own telemetry (option telemetry).";
  }
  if (isOnlyShown(process.env)) return "Telemetry is printed and not sent: ENGINE_TELEMETRY_DEBUG is set.";
  return enabled === true ? `Telemetry is allowed for this user (recorded in ${file}).` : "Telemetry is allowed.";
}
