import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type ContentObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Problem } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { PublicRoute } from '../public-route.js';
import { type OpenApiVersion } from './document.js';
import { OpenApiDocuments } from './openapi-documents.js';
import { sendRepresentation } from './representation.js';
import { SwaggerUi } from './swagger-ui.js';

function openApi(version: OpenApiVersion): ContentObject {
  const properties = { openapi: { type: 'string', example: version } };
  return {
    'application/json': {
      schema: { type: 'object', properties, required: ['openapi'], additionalProperties: true },
    },
  };
}

/** The API described: for programs, and for people. */
@Controller()
export class DocumentationController {
  private readonly ui: SwaggerUi;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly documents: OpenApiDocuments,
  ) {
    this.ui = new SwaggerUi(configuration);
  }

  @Get('openapi.json')
  @PublicRoute({
    operation: 'GetOpenApiDocument',
    summary: 'Read this document (OpenAPI 3.1)',
    content: openApi('3.1.0'),
  })
  document(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, this.documents.representation('3.1.0'));
  }

  @Get('openapi-3.0.json')
  @PublicRoute({
    operation: 'GetOpenApi30Document',
    summary: 'Read this document as OpenAPI 3.0',
    content: openApi('3.0.3'),
  })
  olderDocument(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, this.documents.representation('3.0.3'));
  }

  @Get('docs')
  @PublicRoute()
  page(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, this.ui.page, this.ui.headers);
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
    sendRepresentation(request, response, asset, this.ui.headers);
  }
}
