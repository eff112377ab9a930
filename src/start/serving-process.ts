import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../application.js';
import { type Configuration } from '../platform/config/configuration.js';
import { withSetupLock } from '../platform/database/service-role/service-role.js';
import { type DemoExamples } from '../platform/documentation/demo-examples.js';
import { OpenApiDocument } from '../platform/documentation/openapi-document.js';
import { Readiness } from '../platform/health/readiness.js';
import { GracefulClose } from '../platform/http/server/graceful-close.js';
import { OpenStreams } from '../platform/http/streams/open-streams.js';
import { type Instance } from '../platform/instances/instance.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { Log } from '../platform/logging/log.js';
import { listenError, localUrl } from './start-checks.js';
import { demoExamples } from '../tools/demo/demo-examples.js';
import { DemoTenant } from '../tools/demo/demo-tenant.js';

/** The application in this process, with its connections: the API and jobs. */
export class ServingProcess {
  private dataSource?: DataSource;
  private opened?: NestExpressApplication;
  private closing?: GracefulClose;

  constructor(
    private readonly configuration: Configuration,
    private readonly instance: Instance | null = null,
  ) {}

  async open(serviceUrl: string): Promise<NestExpressApplication> {
    const { configuration, instance } = this;
    this.dataSource = await openDatabase(configuration, serviceUrl);
    const log = new Log(configuration, undefined, instance?.number);
    this.opened = await createApplication(configuration, this.dataSource, log, instance);
    this.closing = new GracefulClose(this.opened.getHttpServer());
    return this.opened;
  }

  get app(): NestExpressApplication {
    if (!this.opened) throw new Error('The application is not open');
    return this.opened;
  }

  async listen(): Promise<void> {
    const { host, port } = this.configuration;
    try {
      await this.app.listen(port, host);
    } catch (error) {
      throw listenError(error, 'PORT', host, port);
    }
  }

  /** Creates the demo tenant if it is missing. Returns its ids for the examples of the OpenAPI document. */
  async ensureDemoTenant(ownerUrl: string, print: (line: string) => void): Promise<DemoExamples> {
    const { configuration } = this;
    const url = localUrl(configuration);
    // Do not log the requests of the demo seed.
    const examples = await this.app.get(Log).withWarningsOnly(async () => {
      // If several instances start at the same time, one creates the demo tenant and the others wait.
      await withSetupLock(ownerUrl, () => new DemoTenant(configuration, ownerUrl, url).ensure(print));
      return demoExamples(configuration, url);
    });
    this.app.get(OpenApiDocument).useExamples(examples);
    return examples;
  }

  /**
   * Readiness fails first, and streams end. Then requests in flight and running jobs finish; after the timeout, requests are aborted and
   * jobs return to the queue. Finally the pool is closed.
   *
   * @returns false when a request had to be aborted
   */
  async close(): Promise<boolean> {
    let clean = true;
    if (this.opened) {
      this.opened.get(Readiness).stop();
      this.opened.get(OpenStreams).stop();
      const jobs = this.opened.get(JobRunner).stop();
      clean = (await this.closing?.close(this.configuration.shutdownTimeout)) ?? true;
      await jobs;
      await this.opened.close();
    }
    await this.dataSource?.destroy();
    return clean;
  }
}
