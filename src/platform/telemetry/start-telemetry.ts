import { type Configuration } from '../config/configuration.js';
import { type LogWriter } from '../logging/log.js';
import { type Tracer } from './span.js';

/** Sends traces to a collector. On shutdown, it sends the remaining spans. */
export interface Telemetry {
  readonly tracer: Tracer;
  onApplicationShutdown(): Promise<void>;
}

export const TELEMETRY = Symbol('TELEMETRY');

/** Loads OpenTelemetry's SDK only when a collector is configured. */
export async function startTelemetry(
  { otlpEndpoint }: Configuration,
  log: Pick<LogWriter, 'info' | 'warn'>,
): Promise<Telemetry | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(log);
}
