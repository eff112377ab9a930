import { type Tracer } from './span.js';

/** Sends traces to a collector. When the application ends, it sends the spans that are left. */
export interface Telemetry {
  readonly tracer: Tracer;
  onApplicationShutdown(): Promise<void>;
}

export const TELEMETRY = Symbol('TELEMETRY');
