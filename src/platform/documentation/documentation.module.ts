import { Global, Module } from '@nestjs/common';
import { BodySchemas } from '../http/input/body-schemas.js';
import { DocumentationController } from './documentation.controller.js';
import { NotificationTypesController } from './notification-types.controller.js';
import { OpenApiDocuments } from './openapi-documents.js';
import { ProblemCatalogue } from './problem-catalogue.js';
import { ProblemsController } from './problems.controller.js';

@Global()
@Module({
  controllers: [DocumentationController, ProblemsController, NotificationTypesController],
  providers: [OpenApiDocuments, ProblemCatalogue, { provide: BodySchemas, useExisting: OpenApiDocuments }],
  exports: [BodySchemas, OpenApiDocuments],
})
export class DocumentationModule {}
