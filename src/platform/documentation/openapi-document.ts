import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import {
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
} from '@nestjs/swagger';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { BodySchemas } from '../http/input/body-schemas.js';
import { RouteTable } from '../http/pipeline/route-table.js';
import { makeDocument } from './document.js';
import { type DemoExamples, withDemoExamples } from './demo-examples.js';
import { type SentRequest } from './sent-requests.js';
import { type Representation, compressedRepresentation } from './representation.js';

/** The OpenAPI document of the running service, built at the first request for it. */
@Injectable()
export class OpenApiDocument implements BodySchemas {
  private app?: INestApplication;
  private examples: DemoExamples = { ids: {}, operations: {} };
  private readonly sentRequests: SentRequest[] = [];
  private cachedDocument?: OpenAPIObject;
  private cachedRepresentation?: Promise<Representation>;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly routes: RouteTable,
  ) {}

  /** Nest's scan of the controllers needs the application. */
  setApplication(app: INestApplication): void {
    this.app = app;
  }

  /** Adds a request to the section `webhooks`. Must be called before the application starts. */
  addSentRequest(request: SentRequest): void {
    this.sentRequests.push(request);
  }

  get document(): OpenAPIObject {
    if (!this.app) throw new Error('setApplication has not been called');
    const { configuration, routes, sentRequests } = this;
    this.cachedDocument ??= makeDocument(this.app, configuration, routes.endpoints, sentRequests);
    return this.cachedDocument;
  }

  ofBody(operation: string): ReturnType<BodySchemas['ofBody']> {
    const { requestBody } = this.operation(operation);
    const { schema } = (requestBody as RequestBodyObject | undefined)?.content['application/json'] ?? {};
    if (!schema) throw new Error(`The OpenAPI document has no JSON body of ${operation}`);
    return { schema, named: this.document.components?.schemas ?? {} };
  }

  parametersOf(operation: string): ReadonlySet<string> {
    const parameters = (this.operation(operation).parameters ?? []) as ParameterObject[];
    return new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  }

  private operation(id: string): OperationObject {
    const operations = Object.values(this.document.paths).flatMap(
      (item) => Object.values(item) as OperationObject[],
    );
    const operation = operations.find(({ operationId }) => operationId === id);
    if (!operation) throw new Error(`The OpenAPI document has no operation ${id}`);
    return operation;
  }

  useExamples(examples: DemoExamples): void {
    this.examples = examples;
    delete this.cachedRepresentation;
  }

  get representation(): Promise<Representation> {
    this.cachedRepresentation ??= compressedRepresentation(
      'application/json; charset=utf-8',
      JSON.stringify(withDemoExamples(this.document, this.examples)),
    );
    return this.cachedRepresentation;
  }
}
