import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { type Configuration } from './config/configuration.js';
import { serviceDataSource } from './database/data-source.js';
import { ENTITIES } from './entities.js';
import { cors } from './http/cors.js';
import { OpenApiDocuments } from './http/documentation/openapi-documents.js';
import { inTurn } from './http/in-turn.js';
import { JsonAdapter } from './http/json-adapter.js';
import { Log } from './http/log.js';
import { methodRefusal } from './http/method-refusal.js';
import { Metrics } from './http/metrics.js';
import { optionsAnswer } from './http/options-answer.js';
import { requestLog } from './http/request-log.js';
import { requestTrace } from './http/request-trace.js';
import { RouteTable } from './http/route-table.js';
import { securityHeaders } from './http/security-headers.js';
import { refuseBrokenRequests, refuseOtherVersions, refuseWithoutHost } from './http/server-faults.js';
import { createEmbeddedIssuer } from './identity/embedded-issuer.js';
import { startTelemetry } from './telemetry/start-telemetry.js';

/** Opens the pool that serves requests. */
export async function openDatabase(configuration: Configuration, serviceUrl: string): Promise<DataSource> {
  const dataSource = serviceDataSource({
    url: serviceUrl,
    poolSize: configuration.databasePoolSize,
    acquireTimeoutMs: configuration.databaseAcquireTimeout,
    statementTimeoutMs: configuration.databaseStatementTimeout,
    entities: ENTITIES,
    traced: configuration.tracesUrl !== undefined,
  });
  return dataSource.initialize();
}

/**
 * The whole application, ready to listen: `main` and the tests run exactly this. Closing it does not close the data
 * source, which whoever opened it closes after it.
 */
export async function createApplication(
  configuration: Configuration,
  dataSource: DataSource,
  log = new Log(configuration),
): Promise<NestExpressApplication> {
  const telemetry = await startTelemetry(configuration, log);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(configuration, dataSource, log, telemetry),
    new JsonAdapter(configuration.trustedProxies, configuration.publicUrl, configuration.uploadIdleTimeout),
    { bodyParser: false, logger: log.forNest(), abortOnError: false },
  );
  refuseBrokenRequests(app.getHttpServer(), log);
  app.use(
    inTurn(
      requestLog(log, app.get(Metrics)),
      securityHeaders(configuration),
      refuseOtherVersions,
      refuseWithoutHost,
    ),
  );
  if (telemetry?.tracer) {
    const goesOn = configuration.tracePropagators === 'tracecontext';
    app.use(requestTrace(telemetry.tracer, app.get(RouteTable), goesOn));
  }
  telemetry?.sendMetrics(app.get(Metrics).registry);
  if (configuration.embeddedIssuer) {
    const { handler } = await createEmbeddedIssuer({ configuration, log });
    // Before CORS: the issuer knows by itself which of its endpoints are for scripts of other origins.
    app.use('/oidc', handler);
  }
  const routes = app.get(RouteTable);
  const crossOrigin = configuration.corsOrigins.length > 0 ? [cors(configuration.corsOrigins, routes)] : [];
  app.use(inTurn(...crossOrigin, optionsAnswer(routes), methodRefusal(routes)));
  app.get(OpenApiDocuments).describe(app);
  await app.init();
  return app;
}
