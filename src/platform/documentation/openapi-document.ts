import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { type OpenAPIObject, type OperationObject, type RequestBodyObject } from '@nestjs/swagger';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { type EndpointOptions } from '../http/endpoint/endpoint.js';
import { BodySchemas } from '../http/input/body-schemas.js';
import { RouteTable } from '../http/pipeline/route-table.js';
import { makeDocument } from './document.js';
import { type DemoExamples, withDemoExamples } from './demo-examples.js';
import { type Representation, compressedRepresentation } from './representation.js';

/** The OpenAPI document of the running service, made once, when it is first asked for. */
@Injectable()
export class OpenApiDocument implements BodySchemas {
  private app?: INestApplication;
  private examples: DemoExamples = { ids: {}, operations: {} };
  private made?: OpenAPIObject;
  private sent?: Promise<Representation>;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly routes: RouteTable,
  ) {}

  /** The application whose operations are described; Nest's scan needs it as a whole. */
  setApplication(app: INestApplication): void {
    this.app = app;
  }

  get document(): OpenAPIObject {
    this.made ??= this.make();
    return this.made;
  }

  ofBody(operation: string): ReturnType<BodySchemas['ofBody']> {
    const { paths, components } = this.document;
    const operations = Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
    const { requestBody } = operations.find(({ operationId }) => operationId === operation) ?? {};
    const { schema } = (requestBody as RequestBodyObject | undefined)?.content['application/json'] ?? {};
    if (!schema) throw new Error(`The OpenAPI document has no JSON body of ${operation}`);
    return { schema, named: components?.schemas ?? {} };
  }

  /** Has examples speak of things that are there; what is asked for from now on has them. */
  useExamples(examples: DemoExamples): void {
    this.examples = examples;
    delete this.sent;
  }

  /** The document as it is sent. */
  get representation(): Promise<Representation> {
    this.sent ??= compressedRepresentation(
      'application/json; charset=utf-8',
      JSON.stringify(withDemoExamples(this.document, this.examples)),
    );
    return this.sent;
  }

  private make(): OpenAPIObject {
    if (!this.app) throw new Error('No application to describe yet');
    const endpoints = new Map<string, EndpointOptions>();
    for (const { endpoint } of this.routes.routes) if (endpoint) endpoints.set(endpoint.operation, endpoint);
    return makeDocument(this.app, this.configuration, endpoints);
  }
}
