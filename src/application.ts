import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { ENTITIES } from './entities.js';
import { type Configuration } from './platform/config/configuration.js';
import { serviceDataSource } from './platform/database/data-source.js';
import { OpenApiDocument } from './platform/documentation/openapi-document.js';
import { requestLog } from './platform/http/pipeline/request-log.js';
import { requestTrace } from './platform/http/pipeline/request-trace.js';
import { cors } from './platform/http/response/cors.js';
import { JsonAdapter } from './platform/http/response/json-adapter.js';
import { securityHeaders } from './platform/http/response/security-headers.js';
import { Metrics } from './platform/http/server/metrics.js';
import { protocolProblem, rejectMalformedRequests } from './platform/http/server/malformed-requests.js';
import { createEmbeddedIssuer } from './platform/identity/embedded/embedded-issuer.js';
import { type Instance } from './platform/instances/instance.js';
import { Log } from './platform/logging/log.js';
import { startTelemetry } from './platform/telemetry/start-telemetry.js';
import { type NextFunction, type Request, type Response } from 'express';

export function openDatabase(configuration: Configuration, serviceUrl: string): Promise<DataSource> {
  return serviceDataSource(serviceUrl, configuration, ENTITIES).initialize();
}

/** The caller must close the data source after the application. */
export async function createApplication(
  configuration: Configuration,
  dataSource: DataSource,
  log = new Log(configuration),
  instance: Instance | null = null,
): Promise<NestExpressApplication> {
  const telemetry = await startTelemetry(configuration, log);
  const adapter = new JsonAdapter(
    configuration.trustedProxies,
    configuration.publicUrl,
    configuration.uploadIdleTimeout,
  );
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(configuration, dataSource, log, instance, telemetry),
    adapter,
    { bodyParser: false, logger: log.forNest(), abortOnError: false },
  );
  rejectMalformedRequests(app.getHttpServer(), log);
  const logRequest = requestLog(log, app.get(Metrics));
  const setSecurityHeaders = securityHeaders(configuration);
  // One handler is faster than several: after each handler, Express searches its list of layers again.
  app.use((request: Request, response: Response, next: NextFunction) => {
    logRequest(request, response);
    setSecurityHeaders(request, response);
    next(protocolProblem(request));
  });
  if (telemetry) app.use(requestTrace(telemetry.tracer));
  if (configuration.embeddedIssuer) {
    const handler = await createEmbeddedIssuer({ configuration, log, primary: instance?.primary });
    // Before CORS, because the issuer itself decides which of its endpoints allow other origins.
    app.use('/oidc', handler);
  }
  if (configuration.corsOrigins.length > 0) app.use(cors(configuration.corsOrigins, adapter.routes));
  app.get(OpenApiDocument).setApplication(app);
  await app.init();
  return app;
}
