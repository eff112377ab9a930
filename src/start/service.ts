import { type InstanceProcesses } from './instance-processes.js';
import {
  type Configuration,
  isDemoIssuerOnNetwork,
  loadConfiguration,
} from '../platform/config/configuration.js';
import { REMOVED_VARIABLES } from '../platform/config/removed-variables.js';
import {
  type EmbeddedDatabase,
  startEmbeddedPostgres,
} from '../platform/database/embedded/embedded-postgres.js';
import { prepareServiceRole } from '../platform/database/pooling/prepare-service-role.js';
import { checkReplicas } from '../platform/database/replicas/replica-check.js';
import { migrateDatabase } from '../platform/database/schema/migrate.js';
import { ReservedPort } from '../platform/http/server/reserved-port.js';
import { MetricsListener } from '../platform/http/server/metrics-listener.js';
import { Metrics } from '../platform/http/server/metrics.js';
import { TokenVerifier } from '../platform/identity/token-verifier.js';
import { Log } from '../platform/logging/log.js';
import { checkIssuer } from '../platform/tenancy/users/issuer-changes.js';
import {
  StartError,
  checkWorkerSettings,
  listenError,
  messageFor,
  prepareDataFolder,
  warnIfIssuerFails,
} from './start-checks.js';
import { ServingProcess } from './serving-process.js';
import { startMessage } from './start-message.js';

/** Maximum number of workers on one machine with the same METRICS_PORT. */
const MAX_WORKERS = 100;

/**
 * Starts the parts of the process in order, and stops them in the opposite order. A worker only runs jobs, without the
 * API.
 */
export class Service {
  private readonly aborted = new AbortController();
  private database?: EmbeddedDatabase;
  private serving?: ServingProcess;
  private processes?: InstanceProcesses;
  private readonly reservedPorts: ReservedPort[] = [];
  private metrics?: MetricsListener;
  private starting: Promise<void> = Promise.resolve();
  private stopped?: Promise<boolean>;
  private readonly printIndented = (line: string): void => this.print(`  ${line}`);

  constructor(
    private readonly print: (line: string) => void,
    private readonly role: 'service' | 'worker' = 'service',
  ) {}

  start(environment: NodeJS.ProcessEnv): Promise<void> {
    this.starting = this.run(environment);
    return this.starting;
  }

  private async run(environment: NodeJS.ProcessEnv): Promise<void> {
    const configuration = await this.configure(environment);
    const unused = REMOVED_VARIABLES.filter((name) => environment[name]);
    if (unused.length > 0)
      this.print(`Warning: these variables no longer have an effect: ${unused.join(', ')}.`);
    if (this.role === 'worker') checkWorkerSettings(configuration);
    await prepareDataFolder(configuration);
    const ownerUrl = configuration.databaseOwnerUrl ?? (await this.startDatabase(configuration));
    this.throwIfStopped();
    this.print('Migrating the schema …');
    await migrateDatabase(ownerUrl, this.printIndented);
    const serviceUrl = await prepareServiceRole(ownerUrl, configuration, this.printIndented);
    await checkReplicas(ownerUrl, serviceUrl, configuration, this.printIndented);
    if (this.role === 'service') await checkIssuer(ownerUrl, configuration, this.printIndented);
    this.throwIfStopped();
    if (this.role === 'service' && configuration.instances > 1)
      await this.serveWithProcesses(configuration, ownerUrl, serviceUrl, environment);
    else await this.serve(configuration, ownerUrl, serviceUrl);
    if (this.role === 'worker') return this.printWorkerStarted(configuration);
    if (isDemoIssuerOnNetwork(configuration))
      (this.serving?.app.get(Log) ?? new Log(configuration)).warn(
        {},
        'the embedded issuer is served to the network: anyone can log in as any user',
      );
    const addresses = {
      url: configuration.publicUrl,
      metricsUrl: `http://${configuration.metricsHost}:${this.metrics?.port}/metrics`,
    };
    for (const line of startMessage(configuration, addresses, environment)) this.print(line);
  }

  private async serve(configuration: Configuration, ownerUrl: string, serviceUrl: string): Promise<void> {
    this.serving = new ServingProcess(configuration);
    const app = await this.serving.open(serviceUrl);
    if (this.role === 'service')
      await warnIfIssuerFails(app.get(TokenVerifier), configuration, this.printIndented);
    this.throwIfStopped();
    if (this.role === 'service') {
      await this.releasePorts();
      await this.serving.listen();
    }
    this.metrics = new MetricsListener(app.get(Metrics).registry);
    await this.listenForMetrics(this.metrics, configuration);
    if (this.role === 'service' && configuration.embeddedIssuer)
      await this.serving.ensureDemoTenant(ownerUrl, this.print);
  }

  private async serveWithProcesses(
    configuration: Configuration,
    ownerUrl: string,
    serviceUrl: string,
    environment: NodeJS.ProcessEnv,
  ): Promise<void> {
    // Imported only when needed: the start of a single process does not load node:cluster.
    const { InstanceProcesses } = await import('./instance-processes.js');
    this.throwIfStopped();
    this.processes = new InstanceProcesses({
      configuration,
      environment: { ...environment, PORT: String(configuration.port) },
      ownerUrl,
      serviceUrl,
      print: this.print,
      releasePort: () => this.releasePorts(),
    });
    await this.processes.start();
    this.metrics = new MetricsListener(this.processes.metrics);
    await this.listenForMetrics(this.metrics, configuration);
  }

  /**
   * Loads the configuration. Reserves the ports of a service first, so that a port in use is reported at once. Port 0
   * is replaced by the chosen port, which is part of the URL of the embedded issuer. A worker takes any free port for
   * its metrics if METRICS_PORT is not set.
   */
  private async configure(environment: NodeJS.ProcessEnv): Promise<Configuration> {
    const metricsPort = environment.METRICS_PORT?.trim() || '0';
    // Jobs do not read from replicas.
    if (this.role === 'worker')
      return loadConfiguration({ ...environment, METRICS_PORT: metricsPort, DATABASE_REPLICA_URLS: '' });
    const configuration = loadConfiguration(environment);
    const { host, port, metricsHost } = configuration;
    const reserved = await this.reservePort(host, port, 'PORT');
    if (port === 0)
      return loadConfiguration({ ...environment, METRICS_PORT: metricsPort, PORT: String(reserved.port) });
    if (configuration.metricsPort !== 0)
      await this.reservePort(metricsHost, configuration.metricsPort, 'METRICS_PORT');
    return configuration;
  }

  private async reservePort(host: string, port: number, variable: string): Promise<ReservedPort> {
    const reserved = await ReservedPort.reserve(host, port).catch((error: unknown) => {
      throw listenError(error, variable, host, port);
    });
    this.reservedPorts.push(reserved);
    return reserved;
  }

  private printWorkerStarted({ metricsHost, workerConcurrency }: Configuration): void {
    this.print(`The worker runs up to ${workerConcurrency} jobs at the same time. Stop it with Ctrl-C.`);
    this.print(`  Metrics     http://${metricsHost}:${this.metrics?.port}/metrics`);
  }

  private async startDatabase({ dataDirectory }: Configuration): Promise<string> {
    this.print(`Starting the embedded PostgreSQL in ${dataDirectory} …`);
    this.database = await startEmbeddedPostgres({
      directory: dataDirectory,
      log: this.printIndented,
      signal: this.aborted.signal,
      onLost: (error) => {
        process.stderr.write(`${error.message}\n`);
        void this.stop().then(() => process.exit(1));
      },
    });
    return this.database.url;
  }

  private async releasePorts(): Promise<void> {
    for (const reserved of this.reservedPorts) await reserved.release();
  }

  /** A worker takes one of the next ports if its port is in use, as by a service with the same settings. */
  private async listenForMetrics(listener: MetricsListener, configuration: Configuration): Promise<void> {
    const { metricsHost: host, metricsPort: port } = configuration;
    const last = this.role === 'worker' && port !== 0 ? Math.min(port + MAX_WORKERS, 65_535) : port;
    for (let candidate = port; ; candidate += 1) {
      try {
        return await listener.listen(host, candidate);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || candidate >= last)
          throw listenError(error, 'METRICS_PORT', host, port);
      }
    }
  }

  private throwIfStopped(): void {
    if (this.aborted.signal.aborted) throw new StartError('Stopped before the service had started.');
  }

  /**
   * Stops the application (see ServingProcess), or all processes, then the embedded database.
   *
   * @returns false when a request had to be aborted
   */
  stop(signal?: NodeJS.Signals): Promise<boolean> {
    this.stopped ??= this.shutDown(signal);
    return this.stopped;
  }

  private async shutDown(signal?: NodeJS.Signals): Promise<boolean> {
    const underWay = this.role === 'service' ? 'the requests in flight' : 'the running jobs';
    if (signal) this.print(`${signal}: finishing ${underWay} …`);
    this.aborted.abort();
    await this.starting.catch(() => undefined);
    const clean = (await (this.processes?.stop() ?? this.serving?.close())) ?? true;
    await this.releasePorts();
    await this.metrics?.close();
    await this.database?.stop();
    if (signal) this.print('Stopped.');
    return clean;
  }
}

/** Runs the service until a signal. If the start fails, prints the error and exits with 1. */
export async function runProcess(service: Service): Promise<void> {
  // On Ctrl-C, npm repeats the signal that its child already has from the terminal.
  const expected = process.env.npm_lifecycle_event === undefined ? 1 : 2;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let received = 0;
    const stop = () => {
      received += 1;
      // A further signal ends the process at once, as Node does without a handler.
      if (received === expected) process.off(signal, stop);
      void service.stop(signal).then((clean) => process.exit(clean ? 0 : 1));
    };
    process.on(signal, stop);
  }
  try {
    await service.start(process.env);
  } catch (error) {
    process.stderr.write(`${messageFor(error)}\n`);
    await service.stop();
    process.exit(1);
  }
}
