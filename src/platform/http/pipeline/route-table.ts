import { type OnApplicationBootstrap, Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENDPOINT, type EndpointOptions } from '../endpoint/endpoint-options.js';
import { PUBLIC_ROUTE } from '../endpoint/public-route.js';

interface Route {
  readonly method: string;
  /** Path with leading slash and `:name` parameters. */
  readonly path: string;
  /** Matches paths before they are decoded. */
  readonly pattern: RegExp;
  readonly parameters: number;
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
  /** Patterns of routes that have a literal segment where another route has a parameter. */
  private literalVariants: RegExp[] = [];

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
        const path = join(pathOf(metatype), pathOf(handler));
        this.routes.push({ method: RequestMethod[method], ...patternOf(path), endpoint });
      }
    }
    const isLiteral = ({ path, parameters }: Route) =>
      this.routes.some((other) => other.parameters > parameters && other.pattern.test(path));
    this.literalVariants = this.routes.filter(isLiteral).map(({ pattern }) => pattern);
  }

  /** Whether the path is like `/documents/search`, which the pattern `/documents/:documentId` also matches. */
  isLiteralVariant(path: string): boolean {
    return this.literalVariants.some((pattern) => pattern.test(path));
  }

  /**
   * The methods that a path supports, sorted; empty for an unknown path or one that cannot be decoded. For
   * `/documents/search`, only the methods of the literal route count, not those of `/documents/:documentId`.
   */
  methodsAt(path: string): string[] {
    if (!isDecodable(path)) return [];
    const matching = this.routes.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    const methods = new Set(
      matching.filter(({ parameters }) => parameters === fewest).map(({ method }) => method),
    );
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}

function patternOf(path: string): Pick<Route, 'path' | 'pattern' | 'parameters'> {
  const literal = path.replace(/[.+*?^$(){}|[\]\\]/g, '\\$&');
  return {
    path,
    pattern: new RegExp(`^${literal.replace(/:\w+/g, '[^/]+')}$`),
    parameters: path.split(':').length - 1,
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Controllers and handlers have one path each. The start fails for a list of paths. */
function pathOf(target: object): string {
  return Reflect.getMetadata(PATH_METADATA, target) as string;
}

function join(...parts: string[]): string {
  return `/${parts
    .map((part) => part.replace(/^\/|\/$/g, ''))
    .filter(Boolean)
    .join('/')}`;
}
