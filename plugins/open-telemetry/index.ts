/** Reports traces and durations of runs, handlers and store requests to OpenTelemetry. */
import type * as otel from "@opentelemetry/api";
import { callback, checkGiven, ignore, isMissing, packageMissing, record } from "../../core/base/index.js";
import type { EnginePlugin, RunInfo } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Default: the tracer `scope-engine` of the registered provider. */
  readonly tracer?: otel.Tracer;
  /**
   * Default: the meter `scope-engine` of the registered provider. Its histogram `scope_engine.duration` is in
   * milliseconds.
   */
  readonly meter?: otel.Meter;
  /**
   * Called at the cleanup, e.g. `() => provider.forceFlush()`, so that spans are sent even if the process ends at once.
   */
  readonly flush?: () => Promise<void>;
}

const PACKAGE = "@opentelemetry/api";

/** The package, with its tracer and histogram. */
interface Tools {
  readonly api: typeof otel;
  readonly spans: otel.Tracer;
  readonly durations: otel.Histogram;
}

async function toolsOf({ tracer, meter }: OpenTelemetryOptions): Promise<Tools> {
  const api = await import("@opentelemetry/api").catch((error: unknown) => {
    throw isMissing(error, PACKAGE) ? packageMissing(PACKAGE, error) : error;
  });
  const durations = (meter ?? api.metrics.getMeter("scope-engine")).createHistogram("scope_engine.duration");
  return { api, spans: tracer ?? api.trace.getTracer("scope-engine"), durations };
}

/**
 * Makes a span for each run, each handler call and each store request. Spans that a handler makes are children of its
 * span.
 *
 * @throws EngineError `PACKAGE_MISSING`: from `engine()`, if `@opentelemetry/api` is not installed
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): EnginePlugin {
  checkGiven("openTelemetry", options, { tracer: record, meter: record, flush: callback });
  return definePlugin({
    name: "open-telemetry",
    apply({ hooks, events, control }) {
      let tools: Tools | undefined;
      const loading = toolsOf(options).then((made) => {
        tools = made;
        return made;
      });
      // The first store request throws the error.
      loading.catch(ignore);
      let root: { readonly run: string; readonly span: otel.Span; readonly outside: otel.Span | undefined } | undefined;
      const begin = ({ api, spans }: Tools, run: string): otel.Span => {
        if (root?.run !== run) root = { run, span: spans.startSpan("run"), outside: api.trace.getActiveSpan() };
        return root.span;
      };
      const traced = async <T>(
        { api, spans, durations }: Tools,
        [name, options]: readonly [string, otel.SpanOptions],
        next: () => Promise<T>,
        above?: otel.Span,
      ) => {
        const parent = above ? api.trace.setSpan(api.context.active(), above) : api.context.active();
        const span = spans.startSpan(name, options, parent);
        const started = performance.now();
        let failure = {};
        try {
          return await api.context.with(api.trace.setSpan(parent, span), next);
        } catch (error) {
          failure = fail(api, span, control.status.safe(error));
          throw error;
        } finally {
          span.end();
          durations.record(performance.now() - started, { "scope_engine.operation": name, ...failure });
        }
      };
      hooks.storeRequest.tapPromise("open-telemetry", async ({ run, store, operation, key }, next) => {
        const ready = tools ?? (await loading);
        const attributes = { "scope_engine.store": store, "scope_engine.key": key };
        const span = { kind: ready.api.SpanKind.CLIENT, attributes };
        return traced(ready, [`${operation} ${store}`, span], next, begin(ready, run));
      });
      hooks.handler.tapPromise("open-telemetry", async ({ phase, kind, fqn, waited }, next) => {
        const ready = tools ?? (await loading);
        const attributes = { "scope_engine.kind": kind, "scope_engine.fqn": fqn, "scope_engine.waited": waited };
        // Its parent is the active span. If that is from before the run, the parent is the run's span.
        const above = ready.api.trace.getActiveSpan() === root?.outside ? root?.span : undefined;
        return traced(ready, [`${phase} ${kind}`, { attributes }], next, above);
      });
      const end = (run: RunInfo, errors: readonly object[], interrupted = false): void => {
        if (!tools) return;
        const { api } = tools;
        const span = begin(tools, run.run).updateName(run.planned ? "plan" : run.phase);
        span.setAttributes({ "scope_engine.app": run.app, "deployment.environment.name": run.stage });
        for (const error of errors.slice(0, 10)) fail(api, span, error);
        span.setAttributes({ "scope_engine.run": run.run, "scope_engine.interrupted": interrupted }).end();
      };
      events.on("run:finished", (run) => end(run, run.errors, run.interrupted));
      events.on("run:failed", (run) => end(run, [run]));
      hooks.cleanup.tapPromise("open-telemetry", async () => {
        if (root?.span.isRecording()) root.span.end(); // A run that only reads has no end event.
        await options.flush?.();
      });
    },
  });
}

function fail({ SpanStatusCode }: typeof otel, span: otel.Span, error: unknown): otel.Attributes {
  const [type, message] = [
    String(Object(error).code ?? Object(error).name ?? "_OTHER"),
    String(Object(error).message ?? error),
  ];
  span.recordException({ name: type, message });
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR, message });
  return { "error.type": type };
}
