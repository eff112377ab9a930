import { type Tracer } from './span.js';

/** Sends traces to a collector. On shutdown, it sends the remaining spans. */
export interface Telemetry {
  readonly tracer: Tracer;
  onApplicationShutdown(): Promise<void>;
}

export const TELEMETRY = Symbol('TELEMETRY');
