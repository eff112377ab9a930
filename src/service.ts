import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from './application.js';
import {
  type Configuration,
  ConfigurationError,
  isDemoIssuerOnNetwork,
  loadConfiguration,
} from './platform/config/configuration.js';
import { REMOVED_VARIABLES } from './platform/config/removed-variables.js';
import { ContentStoreStartError } from './platform/content/content-store.js';
import { DatabaseStartError } from './platform/database/embedded/database-start-error.js';
import {
  type EmbeddedDatabase,
  startEmbeddedPostgres,
} from './platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from './platform/database/schema/migrate.js';
import { ensureServiceRole } from './platform/database/service-role/derived-service-role.js';
import { checkServiceRole } from './platform/database/service-role/service-role-check.js';
import { DatabaseSetupError, withSetupLock } from './platform/database/service-role/service-role.js';
import { OpenApiDocument } from './platform/documentation/openapi-document.js';
import { Readiness } from './platform/health/readiness.js';
import { GracefulClose } from './platform/http/server/graceful-close.js';
import { ReservedPort } from './platform/http/server/reserved-port.js';
import { MetricsListener } from './platform/http/server/metrics-listener.js';
import { Metrics } from './platform/http/server/metrics.js';
import { TokenVerifier } from './platform/identity/token-verifier.js';
import { JobRunner } from './platform/jobs/job-runner.js';
import { Log } from './platform/logging/log.js';
import { checkIssuer } from './platform/tenancy/users/issuer-changes.js';
import {
  StartError,
  checkWorkerSettings,
  listenError,
  prepareDataFolder,
  warnIfIssuerFails,
} from './start-checks.js';
import { demoExamples } from './tools/demo/demo-examples.js';
import { DemoTenant } from './tools/demo/demo-tenant.js';
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
  private dataSource?: DataSource;
  private app?: NestExpressApplication;
  private closing?: GracefulClose;
  private readonly reservedPorts: ReservedPort[] = [];
  private metrics?: MetricsListener;
  private configuration?: Configuration;
  private starting: Promise<void> = Promise.resolve();
  private stopped?: Promise<boolean>;

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
    this.configuration = configuration;
    const unused = REMOVED_VARIABLES.filter((name) => environment[name]);
    if (unused.length > 0)
      this.print(`Warning: these variables no longer have an effect: ${unused.join(', ')}.`);
    if (this.role === 'worker') checkWorkerSettings(configuration);
    await prepareDataFolder(configuration);
    const ownerUrl = configuration.databaseUrl ?? (await this.startDatabase(configuration));
    this.throwIfStopped();
    this.print('Migrating the schema …');
    const printIndented = (line: string) => this.print(`  ${line}`);
    await migrateDatabase(ownerUrl, printIndented);
    const serviceUrl = await ensureServiceRole(ownerUrl, configuration.databaseServiceUrl, printIndented);
    await checkServiceRole(serviceUrl, printIndented);
    if (this.role === 'service') await checkIssuer(ownerUrl, configuration, printIndented);
    this.throwIfStopped();
    this.dataSource = await openDatabase(configuration, serviceUrl);
    this.app = await createApplication(configuration, this.dataSource);
    this.closing = new GracefulClose(this.app.getHttpServer());
    if (this.role === 'service')
      await warnIfIssuerFails(this.app.get(TokenVerifier), configuration, printIndented);
    this.throwIfStopped();
    if (this.role === 'service') await this.listen(this.app, configuration);
    this.metrics = new MetricsListener(this.app.get(Metrics));
    await this.listenForMetrics(this.metrics, configuration);
    if (this.role === 'service') await this.completeStart(this.app, this.metrics, ownerUrl, environment);
    else this.printWorkerStarted(configuration, this.metrics);
  }

  /**
   * Loads the configuration. Reserves the ports of a service first, so that a port in use is reported at once. Port 0
   * is replaced by the chosen port, which is part of the URL of the embedded issuer. A worker takes any free port for
   * its metrics if METRICS_PORT is not set.
   */
  private async configure(environment: NodeJS.ProcessEnv): Promise<Configuration> {
    const metricsPort = environment.METRICS_PORT?.trim() || '0';
    if (this.role === 'worker') return loadConfiguration({ ...environment, METRICS_PORT: metricsPort });
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

  private async completeStart(
    app: NestExpressApplication,
    metrics: MetricsListener,
    ownerUrl: string,
    environment: NodeJS.ProcessEnv,
  ): Promise<void> {
    const { configuration } = this;
    if (!configuration) return;
    const { embeddedIssuer, host, metricsHost, publicUrl } = configuration;
    const { port } = app.getHttpServer().address() as AddressInfo;
    const local = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
    if (embeddedIssuer) {
      // Do not log the requests of the demo seed.
      await app.get(Log).withWarningsOnly(async () => {
        // If several instances start at the same time, one creates the demo tenant and the others wait.
        await withSetupLock(ownerUrl, () =>
          new DemoTenant(configuration, ownerUrl, local).ensure(this.print),
        );
        app.get(OpenApiDocument).useExamples(await demoExamples(configuration, local));
      });
    }
    if (isDemoIssuerOnNetwork(configuration))
      app.get(Log).warn({}, 'the embedded issuer is served to the network: anyone can log in as any user');
    const addresses = {
      url: publicUrl,
      metricsUrl: `http://${metricsHost}:${metrics.port}/metrics`,
    };
    for (const line of startMessage(configuration, addresses, environment)) this.print(line);
  }

  private printWorkerStarted(
    { metricsHost, workerConcurrency }: Configuration,
    { port }: MetricsListener,
  ): void {
    this.print(`The worker runs up to ${workerConcurrency} jobs at the same time. Stop it with Ctrl-C.`);
    this.print(`  Metrics     http://${metricsHost}:${port}/metrics`);
  }

  private async startDatabase({ dataDirectory }: Configuration): Promise<string> {
    this.print(`Starting the embedded PostgreSQL in ${dataDirectory} …`);
    this.database = await startEmbeddedPostgres({
      directory: dataDirectory,
      log: (line) => this.print(`  ${line}`),
      signal: this.aborted.signal,
      onLost: (error) => {
        process.stderr.write(`${error.message}\n`);
        void this.stop().then(() => process.exit(1));
      },
    });
    return this.database.url;
  }

  private async listen(app: NestExpressApplication, { host, port }: Configuration): Promise<void> {
    await this.releasePorts();
    try {
      await app.listen(port, host);
    } catch (error) {
      throw listenError(error, 'PORT', host, port);
    }
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
   * Stops the process. Readiness fails first. Then requests in flight and running jobs finish; after the timeout,
   * requests are aborted and jobs return to the queue. Finally the pool and the embedded database are closed.
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
    let clean = true;
    if (this.app) {
      this.app.get(Readiness).stop();
      const jobs = this.app.get(JobRunner).stop();
      clean = (await this.closing?.close(this.configuration?.shutdownTimeout ?? 0)) ?? true;
      await jobs;
      await this.app.close();
    }
    await this.releasePorts();
    await this.metrics?.close();
    await this.dataSource?.destroy();
    await this.database?.stop();
    if (signal) this.print('Stopped.');
    return clean;
  }

  /** One sentence for errors that the operator can correct; the stack trace for all others. */
  messageFor(error: unknown): string {
    const known = [
      ConfigurationError,
      ContentStoreStartError,
      DatabaseStartError,
      DatabaseSetupError,
      StartError,
    ];
    if (known.some((kind) => error instanceof kind)) return (error as Error).message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
