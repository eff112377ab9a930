import { type AddressInfo } from 'node:net';
import { type Server } from 'node:http';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Configuration } from './config/configuration.js';

/** What a person is told once the service takes requests. */
export async function welcome(app: NestExpressApplication, configuration: Configuration): Promise<string[]> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const base = configuration.port === 0 ? `http://127.0.0.1:${port}` : configuration.publicUrl;
  return [`Serving on ${base}`];
}
