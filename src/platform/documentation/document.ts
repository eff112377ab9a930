import { type INestApplication } from '@nestjs/common';
import {
  DocumentBuilder,
  type OpenAPIObject,
  type OperationObject,
  type PathItemObject,
  type ResponseObject,
  type SecurityRequirementObject,
  type SecuritySchemeObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';
import { type Configuration } from '../config/configuration.js';
import { type EndpointOptions } from '../http/endpoint/endpoint.js';
import { TAGS } from '../http/endpoint/operation-groups.js';
import { ProblemDetails, ValidationProblemDetails } from '../http/endpoint/problem-details.dto.js';
import { PUBLIC_PROBLEMS } from '../http/endpoint/public-route.js';
import { RESPONSE_HEADERS } from '../http/response/response-headers.js';
import { issuerUrl } from '../identity/issuer-url.js';
import { introduction } from './introduction.js';
import { describeOperation, withExamples } from './operation.js';
import { problemResponse, sharedResponses } from './problem-responses.js';

export const OPENAPI_VERSION = '3.1.0';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * The OpenAPI document of the running service. Nest scans the controllers for paths and schemas; what the operations
 * declare completes it. Pure but for the scan: making it twice gives the same document.
 */
export function makeDocument(
  app: INestApplication,
  configuration: Configuration,
  endpoints: ReadonlyMap<string, EndpointOptions>,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Filing service')
    .setVersion('1')
    .setDescription(introduction(configuration, endpoints.values()))
    .setOpenAPIVersion(OPENAPI_VERSION);
  const scanned = SwaggerModule.createDocument(app, base.build(), {
    extraModels: [ProblemDetails, ValidationProblemDetails],
    autoTagControllers: false,
  });
  const schemes = securitySchemes(configuration);
  const security = Object.keys(schemes).map((name) => ({
    [name]: name === 'oauth2' ? Object.keys(SCOPES) : [],
  }));
  const document: OpenAPIObject = {
    openapi: OPENAPI_VERSION,
    info: { ...scanned.info, contact: contact(configuration), license: LICENSE },
    servers: servers(configuration),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: {},
    components: {
      securitySchemes: schemes,
      schemas: sortedByName(scanned.components?.schemas ?? {}),
      headers: RESPONSE_HEADERS,
      responses: sharedResponses(),
    },
  };
  // As the tags tell the story, and within a tag as the controllers do.
  const paths = Object.entries(scanned.paths).sort(([, one], [, other]) => rank(one) - rank(other));
  for (const [path, item] of paths)
    document.paths[path] = describePath(path, item, { document, endpoints, security });
  return document;
}

interface Surroundings {
  readonly document: OpenAPIObject;
  readonly endpoints: ReadonlyMap<string, EndpointOptions>;
  readonly security: SecurityRequirementObject[];
}

function describePath(
  path: string,
  item: PathItemObject,
  { document, endpoints, security }: Surroundings,
): PathItemObject {
  const described: PathItemObject = {};
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    const endpoint = endpoints.get(operation.operationId ?? '');
    described[method] = endpoint
      ? describeOperation(
          { operation: { ...operation, security }, method: method.toUpperCase(), path, endpoint },
          document,
        )
      : describePublic(operation, document);
  }
  return described;
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

function contact({ publicUrl }: Configuration) {
  return { name: 'The operator of this service', url: publicUrl };
}

/** As in package.json; the page says what the word means. */
const LICENSE = {
  name: 'UNLICENSED',
  url: 'https://docs.npmjs.com/cli/configuring-npm/package-json#license',
};

function rank(item: PathItemObject): number {
  const [first] = METHODS.flatMap((method) => item[method] ?? []);
  return Object.keys(TAGS).indexOf(first?.tags?.[0] ?? '');
}

/** Wherever the document was fetched from; and the address for those who keep it as a file. */
function servers({ publicUrl }: Configuration) {
  const { pathname } = new URL(publicUrl);
  return [
    { url: pathname, description: 'Where this document comes from' },
    { url: publicUrl, description: 'The public address' },
  ];
}

const SCOPES = { openid: 'Who you are', email: 'Your e-mail address', profile: 'Your name' };

function securitySchemes(configuration: Configuration): Record<string, SecuritySchemeObject> {
  const issuer = issuerUrl(configuration);
  const bearer: SecuritySchemeObject = {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `An access token of ${issuer} that names the audience \`${configuration.oidcAudience}\`.`,
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
