import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type ContentObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Problem } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { PublicRoute, objectSchema } from '../http/endpoint/public-route.js';
import { OPENAPI_VERSION } from './document.js';
import { OpenApiDocument } from './openapi-document.js';
import {
  type Representation,
  jsonRepresentation,
  prefersPage,
  sendRepresentation,
} from './representation.js';
import { SwaggerUi } from './swagger-ui.js';

const OPENAPI: ContentObject = {
  'application/json': {
    schema: {
      ...objectSchema({ openapi: { type: 'string', example: OPENAPI_VERSION } }),
      additionalProperties: true,
    },
  },
};

/** Links from the root to the descriptions of the service, for programs (RFC 8288, RFC 8631). */
const ROOT_LINKS = [
  '<openapi.json>; rel="service-desc"; type="application/json"',
  '<docs>; rel="service-doc"; type="text/html"',
  '<problems>; rel="describedby"; type="text/html"',
].join(', ');

const ROOT: ContentObject = {
  'application/json': {
    schema: objectSchema({
      description: { type: 'string', format: 'uri', example: 'https://filing.example/openapi.json' },
      documentation: { type: 'string', format: 'uri', example: 'https://filing.example/docs' },
      problems: { type: 'string', format: 'uri', example: 'https://filing.example/problems' },
    }),
  },
};

@Controller()
export class DocumentationController {
  private readonly ui: SwaggerUi;
  private readonly root: Representation;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly openApi: OpenApiDocument,
  ) {
    this.ui = new SwaggerUi(configuration);
    const { publicUrl } = configuration;
    this.root = jsonRepresentation({
      description: `${publicUrl}/openapi.json`,
      documentation: `${publicUrl}/docs`,
      problems: `${publicUrl}/problems`,
    });
  }

  @Get()
  @PublicRoute({
    operation: 'GetRoot',
    summary: 'Get the addresses of the API description',
    description:
      'Redirects browsers to the documentation page. The response header `Link` has the same addresses for programs.',
    content: ROOT,
    problems: ['request.not-acceptable'],
  })
  start(@Req() request: Request, @Res() response: Response): void {
    response.setHeader('Link', ROOT_LINKS);
    response.vary('Accept');
    if (prefersPage(request)) response.status(303).setHeader('Location', 'docs').end();
    else sendRepresentation(request, response, this.root);
  }

  @Get('openapi.json')
  @PublicRoute({
    operation: 'GetOpenApiDocument',
    summary: 'Get this document (OpenAPI 3.1)',
    content: OPENAPI,
  })
  async document(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendRepresentation(request, response, await this.openApi.representation);
  }

  @Get('docs')
  @PublicRoute()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendRepresentation(request, response, await this.ui.page(), this.ui.headers);
  }

  @Get('docs/:asset')
  @PublicRoute()
  async asset(
    @Param('asset') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const asset = await this.ui.asset(name);
    if (!asset) throw new Problem('route.not-found');
    sendRepresentation(request, response, asset, this.ui.headersOf(name, request.query['v']));
  }
}
