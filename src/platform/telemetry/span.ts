import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanKind = 'SERVER' | 'CLIENT' | 'CONSUMER';

/** By names of OpenTelemetry's semantic conventions, or `filing.…`; what is undefined is left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A piece of work as a trace shows it (docs/adr/0028). Whoever describes it says what kind of work it is and whose, by
 * ids: never what people wrote.
 */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Names the span to whoever goes on with the work elsewhere (W3C Trace Context). */
  readonly traceparent: string;
  /** False where the trace is not sampled: nobody will see what is said of it. */
  readonly isRecording: boolean;
  child(name: string, kind: SpanKind, attributes: SpanAttributes): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type what kind of fault it was; not its message, which may quote what people wrote */
  fail(type: string): void;
  end(): void;
}

/** Makes the first span of this service in a trace. */
export interface Tracer {
  /** @param from header fields that may name the trace and span that this goes on with: `traceparent`, `tracestate` */
  start(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    from: Readonly<Record<string, string | string[] | undefined>>,
  ): Span;
}

/** Nothing is ever run in it while there are no traces: asking for the active span then costs next to nothing. */
const active = new AsyncLocalStorage<Span>();

/** The span of the work that this belongs to. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}

export function withActiveSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work);
}

/** The span lasts as long as the work. */
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

/** A code (of PostgreSQL, of the system, of a problem), or the name of the class. */
export function errorType(fault: unknown): string {
  if (!(fault instanceof Error)) return typeof fault;
  const { code } = fault as { code?: unknown };
  return typeof code === 'string' ? code : fault.name;
}

/**
 * As OpenTelemetry names them in logs that are JSON:
 * https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
export function traceFields(span: Span | undefined): { trace_id?: string; span_id?: string } {
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
