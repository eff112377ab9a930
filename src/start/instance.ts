import { INSTANCE_CALLS, type InstanceSettings } from './instance-settings.js';
import { type Configuration, loadConfiguration } from '../platform/config/configuration.js';
import { Metrics } from '../platform/http/server/metrics.js';
import { serveMetrics } from '../platform/http/server/shared-metrics.js';
import { ProcessChannel } from '../platform/instances/process-channel.js';
import { OpenApiDocument } from '../platform/documentation/openapi-document.js';
import { TokenVerifier } from '../platform/identity/token-verifier.js';
import { ServingProcess } from './serving-process.js';
import { messageFor, warnIfIssuerFails } from './start-checks.js';

/**
 * One of several processes of the service. The primary process starts it (instance-processes.ts), and has prepared
 * the database. Node ends it when the primary process ends.
 */
const primary = new ProcessChannel(process);
let serving: ServingProcess | undefined;
let starting = Promise.resolve();
let isStopping = false;

/** The share of one process in the limits of the service: connections, and jobs, which process 1 runs. */
function shareOf(configuration: Configuration, number: number): Configuration {
  const { instances, databasePoolSize, workerConcurrency } = configuration;
  return {
    ...configuration,
    databasePoolSize: Math.floor(databasePoolSize / instances),
    workerConcurrency: number === 1 ? workerConcurrency : 0,
  };
}

async function run(): Promise<void> {
  const settings = await primary.call<InstanceSettings>(INSTANCE_CALLS.settings);
  const { number, environment, serviceUrl, seedWith, examples } = settings;
  const configuration = shareOf(loadConfiguration(environment), number);
  const print = (line: string) => void primary.call(INSTANCE_CALLS.print, line);
  if (isStopping) return;
  serving = new ServingProcess(configuration, { number, primary });
  const app = await serving.open(serviceUrl);
  serveMetrics(primary, app.get(Metrics).registry);
  if (seedWith !== undefined)
    await warnIfIssuerFails(app.get(TokenVerifier), configuration, (line) => print(`  ${line}`));
  await primary.call(INSTANCE_CALLS.releasePort);
  if (isStopping) return;
  await serving.listen();
  let created = examples;
  if (configuration.embeddedIssuer && seedWith !== undefined)
    created = await serving.ensureDemoTenant(seedWith, print);
  else if (examples) app.get(OpenApiDocument).useExamples(examples);
  await primary.call(INSTANCE_CALLS.serving, created);
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await starting.catch(() => undefined);
  const clean = (await serving?.close()) ?? true;
  process.exit(clean ? 0 : 1);
}

primary.handle(INSTANCE_CALLS.stop, () => void stop());
// Ctrl-C reaches all processes of the terminal; a second signal ends the process at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());

starting = run();
await starting.catch(async (error: unknown) => {
  if (isStopping) return;
  await primary.call(INSTANCE_CALLS.failed, messageFor(error)).catch(() => undefined);
  process.exit(1);
});
