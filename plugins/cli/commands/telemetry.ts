import type { Command } from "commander";
import { type Preference, readPreference, writePreference } from "../../telemetry/anonymous-id.js";
import { isOnlyShown, switchedOffBy } from "../../telemetry/switches.js";
import { print } from "../output.js";

export function addTelemetry(program: Command): void {
  const telemetry = program
    .command("telemetry")
    .summary("see and set whether figures about runs may be sent")
    .description(
      "Shows and sets whether anonymous figures about runs may be sent, for you on this machine. None are sent where no project key is set.",
    );
  telemetry
    .command("status")
    .description("Show what holds, and why.")
    .action(() => print(statusOf(readPreference(process.env))));
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
  if (file === undefined) return "Telemetry is off: there is no place for your settings (HOME is not set).";
  if (enabled === false) return `Telemetry is off for this user: ${file}`;
  if (!process.env.ENGINE_TELEMETRY_KEY) {
    return "Telemetry is off: no project key is set (ENGINE_TELEMETRY_KEY). A program may have a sink of its own.";
  }
  if (isOnlyShown(process.env)) return "Telemetry is only shown, not sent: ENGINE_TELEMETRY_DEBUG is set.";
  return enabled === true ? `Telemetry is allowed for this user: ${file}` : "Telemetry is allowed.";
}
