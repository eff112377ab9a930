import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanKind = 'SERVER' | 'CLIENT' | 'CONSUMER';

/** Names are those of OpenTelemetry's semantic conventions, or `filing.…`. Undefined attributes are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span of a trace (docs/adr/0028). Its name and attributes contain the kind of work and ids, never user data. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Value that continues the trace elsewhere, such as in a job (W3C Trace Context). */
  readonly traceparent: string;
  /** False when the trace is not sampled. Attributes are then not needed. */
  readonly isRecording: boolean;
  child(name: string, kind: SpanKind, attributes: SpanAttributes): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type Type of the error, not its message, which may contain user data. */
  fail(type: string): void;
  end(): void;
}

/** Starts the first span of this service in a trace. */
export interface Tracer {
  /** @param from Header fields; `traceparent` and `tracestate` identify the trace and the parent span. */
  start(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    from: Readonly<Record<string, string | string[] | undefined>>,
  ): Span;
}

/** Without traces it is never used, and reading the active span takes almost no time. */
const active = new AsyncLocalStorage<Span>();

export function activeSpan(): Span | undefined {
  return active.getStore();
}

/** Does not end the span. */
export function withActiveSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work);
}

export async function runSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await withActiveSpan(span, work);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Code of the error (of PostgreSQL, of the system, of a problem), or the name of its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/**
 * Trace fields of a log line, with OpenTelemetry's names for JSON logs:
 * https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
export function traceFields(span: Span | undefined): { trace_id?: string; span_id?: string } {
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
