import { type Configuration } from '../config/configuration.js';
import { type LogWriter } from '../logging/log.js';
import { type Telemetry } from './telemetry.js';

/** Loads OpenTelemetry's SDK only when a collector is configured. */
export async function startTelemetry(
  { otlpEndpoint }: Configuration,
  log: Pick<LogWriter, 'info' | 'warn'>,
): Promise<Telemetry | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(log);
}
