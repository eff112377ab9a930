import { Global, Module } from '@nestjs/common';
import { BodySchemas } from '../http/input/body-schemas.js';
import { DocumentationController } from './documentation.controller.js';
import { NotificationTypesController } from './notification-types.controller.js';
import { OpenApiDocument } from './openapi-document.js';
import { ProblemsController } from './problems.controller.js';

@Global()
@Module({
  controllers: [DocumentationController, ProblemsController, NotificationTypesController],
  providers: [OpenApiDocument, { provide: BodySchemas, useExisting: OpenApiDocument }],
  exports: [BodySchemas, OpenApiDocument],
})
export class DocumentationModule {}
