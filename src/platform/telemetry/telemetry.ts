import { type Tracer } from './span.js';

/** As much of the service's log as is used here. */
export interface TelemetryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Sends traces to a collector. When the application ends, it sends the spans that are left. */
export interface Telemetry {
  readonly tracer: Tracer;
  onApplicationShutdown(): Promise<void>;
}

export const TELEMETRY = Symbol('TELEMETRY');
