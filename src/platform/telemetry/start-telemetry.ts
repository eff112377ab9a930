import { type Configuration } from '../config/configuration.js';
import { type Telemetry, type TelemetryLog } from './telemetry.js';

/** Undefined where nothing is to be sent: then not one module of OpenTelemetry's SDK is loaded. */
export async function startTelemetry(
  configuration: Configuration,
  log: TelemetryLog,
): Promise<Telemetry | undefined> {
  const { tracesUrl, metricsUrl } = configuration;
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return OpenTelemetry.start(configuration, log);
}
