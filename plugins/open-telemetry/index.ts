/** Traces and durations of runs, handlers and store requests, by OpenTelemetry. */
import * as otel from "@opentelemetry/api";
import { callback, checkGiven, record } from "../../core/base/index.js";
import { definePlugin, type EnginePlugin, type RunInfo } from "../../core/index.js";

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Default: that of the name `scope-engine`, of the provider that is registered. */
  readonly tracer?: otel.Tracer;
  /** Default: likewise. Its histogram `scope_engine.duration` is in milliseconds. */
  readonly meter?: otel.Meter;
  /** Called at the cleanup, e.g. `() => provider.forceFlush()`: then spans get out where the process ends at once. */
  readonly flush?: () => Promise<void>;
}

/** Spans of each run, of each call of a handler, with what it does below it, and of each request to the store. */
export function openTelemetry(options: OpenTelemetryOptions = {}): EnginePlugin {
  checkGiven("openTelemetry", options, { tracer: record, meter: record, flush: callback });
  const { tracer, meter, flush } = options;
  return definePlugin({
    name: "open-telemetry",
    apply({ hooks, events, control }) {
      const spans = tracer ?? otel.trace.getTracer("scope-engine");
      const durations = (meter ?? otel.metrics.getMeter("scope-engine")).createHistogram("scope_engine.duration");
      let root: { readonly run: string; readonly span: otel.Span; readonly outside: otel.Span | undefined } | undefined;
      const begin = (run: string): otel.Span => {
        if (root?.run !== run) root = { run, span: spans.startSpan("run"), outside: otel.trace.getActiveSpan() };
        return root.span;
      };
      const traced = async <T>(name: string, options: otel.SpanOptions, next: () => Promise<T>, above?: otel.Span) => {
        const parent = above ? otel.trace.setSpan(otel.context.active(), above) : otel.context.active();
        const span = spans.startSpan(name, options, parent);
        const started = performance.now();
        let failure = {};
        try {
          return await otel.context.with(otel.trace.setSpan(parent, span), next);
        } catch (error) {
          failure = fail(span, control.safe(error));
          throw error;
        } finally {
          span.end();
          durations.record(performance.now() - started, { "scope_engine.operation": name, ...failure });
        }
      };
      hooks.storeRequest.tap("open-telemetry", ({ run, store, operation, key }, next) => {
        const attributes = { "scope_engine.store": store, "scope_engine.key": key };
        return traced(`${operation} ${store}`, { kind: otel.SpanKind.CLIENT, attributes }, next, begin(run));
      });
      hooks.handler.tap("open-telemetry", ({ phase, kind, fqn, waited }, next) => {
        const attributes = { "scope_engine.kind": kind, "scope_engine.fqn": fqn, "scope_engine.waited": waited };
        // Its parent is the active span, and where that is the one from before the run, the span of the run.
        const above = otel.trace.getActiveSpan() === root?.outside ? root?.span : undefined;
        return traced(`${phase} ${kind}`, { attributes }, next, above);
      });
      const end = (run: RunInfo, errors: readonly object[], interrupted = false): void => {
        const span = begin(run.run).updateName(run.planned ? "plan" : run.phase);
        span.setAttributes({ "scope_engine.app": run.app, "deployment.environment.name": run.stage });
        for (const error of errors.slice(0, 10)) fail(span, error);
        span.setAttributes({ "scope_engine.run": run.run, "scope_engine.interrupted": interrupted }).end();
      };
      events.on("run:finished", (run) => end(run, run.errors, run.interrupted));
      events.on("run:failed", (run) => end(run, [run]));
      hooks.cleanup.tap("open-telemetry", () => {
        if (root?.span.isRecording()) root.span.end(); // A run that only reads tells of no end.
        return flush?.();
      });
    },
  });
}

function fail(span: otel.Span, error: unknown): otel.Attributes {
  const [type, message] = [
    String(Object(error).code ?? Object(error).name ?? "_OTHER"),
    String(Object(error).message ?? error),
  ];
  span.recordException({ name: type, message });
  span.setAttribute("error.type", type).setStatus({ code: otel.SpanStatusCode.ERROR, message });
  return { "error.type": type };
}
