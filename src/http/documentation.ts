import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Configuration } from '../config/configuration.js';
import { ProblemDetails, ValidationProblemDetails } from './problem-details.dto.js';

/** The OpenAPI document of the running service, in the version asked for. */
export function openApiDocument(
  app: INestApplication,
  configuration: Configuration,
  version: '3.1.0' | '3.0.3',
): OpenAPIObject {
  const issuer = configuration.oidcIssuer ?? `${configuration.publicUrl}/oidc`;
  const builder = new DocumentBuilder()
    .setTitle('Filing service')
    .setVersion('1')
    .setDescription(
      'Numbered files, documents filed into them, and who may see what: everything under a tenant.',
    )
    .setOpenAPIVersion(version)
    .addServer(configuration.publicUrl)
    .addSecurity('oauth2', {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    });
  return SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDetails, ValidationProblemDetails],
  });
}

export function mountDocumentation(_app: INestApplication, _configuration: Configuration): void {
  // Filled in below.
}
