import { type INestApplication } from '@nestjs/common';
import {
  type OpenAPIObject,
  type OperationObject,
  type PathItemObject,
  type ResponseObject,
  type SecuritySchemeObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';
import { type Configuration } from '../config/configuration.js';
import { type EndpointOptions } from '../http/endpoint/endpoint-options.js';
import { OPERATION_GROUPS } from '../http/endpoint/operation-groups.js';
import { ProblemDetails, ValidationProblemDetails } from '../http/endpoint/problem-details.dto.js';
import { PUBLIC_PROBLEMS } from '../http/endpoint/public-route.js';
import { RESPONSE_HEADERS } from '../http/response/response-headers.js';
import { issuerUrl } from '../identity/issuer-url.js';
import { introduction } from './introduction.js';
import { describeOperation, withExamples } from './operation.js';
import { problemResponse, sharedResponses } from './problem-responses.js';
import { type SentRequest, describeSentRequest } from './sent-requests.js';

export const OPENAPI_VERSION = '3.1.0';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Builds the OpenAPI document of the running service from Nest's scan of the controllers (paths and schemas) and the
 * @Endpoint declarations. Every call returns an equal document.
 */
export function makeDocument(
  app: INestApplication,
  configuration: Configuration,
  endpoints: ReadonlyMap<string, EndpointOptions>,
  sentRequests: readonly SentRequest[],
): OpenAPIObject {
  const info = {
    title: 'Filing service',
    description: introduction(configuration, [...endpoints.values()]),
    version: '1',
    contact: { name: 'The operator of this service', url: configuration.publicUrl },
    license: LICENSE,
  };
  const scanned = SwaggerModule.createDocument(
    app,
    { openapi: OPENAPI_VERSION, info },
    {
      extraModels: [ProblemDetails, ValidationProblemDetails, ...sentRequests.map(({ body }) => body)],
      autoTagControllers: false,
    },
  );
  const schemes = securitySchemes(configuration);
  const security = Object.keys(schemes).map((name) => ({
    [name]: name === 'oauth2' ? Object.keys(SCOPES) : [],
  }));
  const document: OpenAPIObject = {
    openapi: OPENAPI_VERSION,
    info,
    servers: servers(configuration),
    tags: Object.entries(OPERATION_GROUPS).map(([name, description]) => ({ name, description })),
    paths: {},
    components: {
      securitySchemes: schemes,
      schemas: sortedByName(scanned.components?.schemas ?? {}),
      headers: RESPONSE_HEADERS,
      responses: sharedResponses(),
    },
  };
  // In the order of the tags, and within a tag in the order of the controllers.
  const paths = Object.entries(scanned.paths).sort(([, one], [, other]) => rank(one) - rank(other));
  for (const [path, item] of paths) {
    const described: PathItemObject = (document.paths[path] = {});
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const endpoint = endpoints.get(operation.operationId ?? '');
      described[method] = endpoint
        ? {
            ...describeOperation({ operation, method: method.toUpperCase(), path, endpoint }, document),
            security,
          }
        : describePublic(operation, document);
    }
  }
  if (sentRequests.length > 0)
    document.webhooks = Object.fromEntries(
      sentRequests.map((request) => [request.name, describeSentRequest(request, document)]),
    );
  return document;
}

function describePublic(operation: OperationObject, document: OpenAPIObject): OperationObject {
  const { [PUBLIC_PROBLEMS]: codes = [], ...rest } = operation as OperationObject & {
    [PUBLIC_PROBLEMS]?: readonly ProblemCode[];
  };
  const { content = {}, ...success } = rest.responses['200'] as ResponseObject;
  const problems = codes.map((code) => [
    PROBLEMS[code].status,
    problemResponse(PROBLEMS[code].status, [code]),
  ]);
  return {
    ...rest,
    responses: {
      200: { ...success, content: withExamples(content, document) },
      ...(Object.fromEntries(problems) as OperationObject['responses']),
    },
    security: [],
  };
}

/** As in package.json; the page explains the word. */
const LICENSE = {
  name: 'UNLICENSED',
  url: 'https://docs.npmjs.com/cli/configuring-npm/package-json#license',
};

function rank(item: PathItemObject): number {
  const [first] = METHODS.flatMap((method) => item[method] ?? []);
  return Object.keys(OPERATION_GROUPS).indexOf(first?.tags?.[0] ?? '');
}

/** The server that sent the document, and the public URL for readers of a saved copy. */
function servers({ publicUrl }: Configuration) {
  const { pathname } = new URL(publicUrl);
  return [
    { url: pathname, description: 'The server that sent this document' },
    { url: publicUrl, description: 'The public URL of the service' },
  ];
}

const SCOPES = { openid: 'Your user id', email: 'Your e-mail address', profile: 'Your name' };

function securitySchemes(configuration: Configuration): Record<string, SecuritySchemeObject> {
  const issuer = issuerUrl(configuration);
  const bearer: SecuritySchemeObject = {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `An access token of ${issuer} with the audience \`${configuration.oidcAudience}\`.`,
  };
  if (!configuration.embeddedIssuer) {
    const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    return {
      openIdConnect: { type: 'openIdConnect', openIdConnectUrl, description: 'Log in at the issuer.' },
      bearer,
    };
  }
  const authorizationCode = {
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    scopes: SCOPES,
  };
  return {
    oauth2: {
      type: 'oauth2',
      flows: { authorizationCode },
      description: 'Log in at the demonstration issuer (authorization code with PKCE).',
    },
    bearer,
  };
}

function sortedByName<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
