import { posix } from 'node:path';
import { type OnApplicationBootstrap, Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENDPOINT, type EndpointOptions } from '../endpoint/endpoint-options.js';
import { PUBLIC_ROUTE } from '../endpoint/public-route.js';

interface Route {
  readonly method: string;
  /** Path with leading slash and `:name` parameters. */
  readonly path: string;
  readonly endpoint: EndpointOptions | null;
}

/**
 * All routes of the service with their declarations, collected at start from Nest's controllers. The start fails for
 * a handler without declaration, so no operation can lack a permission.
 */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  readonly routes: Route[] = [];
  /** By operation, in the order of the routes. */
  readonly endpoints = new Map<string, EndpointOptions>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      if (!metatype || !instance) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as object;
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) continue;
        const endpoint = (Reflect.getMetadata(ENDPOINT, handler) as EndpointOptions | undefined) ?? null;
        const where = `${metatype.name}.${name}`;
        if (!endpoint && !Reflect.getMetadata(PUBLIC_ROUTE, handler)) {
          throw new Error(`${where} needs @Endpoint or @PublicRoute: without them, no permission is checked`);
        }
        if (endpoint && this.endpoints.has(endpoint.operation))
          throw new Error(`${where}: ${endpoint.operation} is declared twice`);
        if (endpoint) this.endpoints.set(endpoint.operation, endpoint);
        const path = posix.join('/', pathOf(metatype), pathOf(handler)).replace(/(?<=.)\/$/, '');
        this.routes.push({ method: RequestMethod[method], path, endpoint });
      }
    }
  }
}

/** Controllers and handlers have one path each. The start fails for a list of paths. */
function pathOf(target: object): string {
  return Reflect.getMetadata(PATH_METADATA, target) as string;
}
