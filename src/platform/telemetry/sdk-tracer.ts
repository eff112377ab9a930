import {
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind as SdkSpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer as ApiTracer,
  defaultTextMapGetter,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { type Span, type SpanAttributes, type SpanKind, type Tracer } from './span.js';

export class SdkTracer implements Tracer {
  private readonly propagator = new W3CTraceContextPropagator();

  constructor(private readonly tracer: ApiTracer) {}

  start(name: string, kind: SpanKind, attributes: SpanAttributes, from: object): Span {
    const parent = this.propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter);
    return new TracedSpan(
      this.tracer,
      this.tracer.startSpan(name, { kind: SdkSpanKind[kind], attributes }, parent),
    );
  }
}

class TracedSpan implements Span {
  constructor(
    private readonly tracer: ApiTracer,
    private readonly span: SdkSpan,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get spanId(): string {
    return this.span.spanContext().spanId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }

  get isRecording(): boolean {
    return this.span.isRecording();
  }

  child(name: string, kind: SpanKind, attributes: SpanAttributes): Span {
    const options = { kind: SdkSpanKind[kind], attributes };
    const parent = trace.setSpan(ROOT_CONTEXT, this.span);
    return new TracedSpan(this.tracer, this.tracer.startSpan(name, options, parent));
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}
