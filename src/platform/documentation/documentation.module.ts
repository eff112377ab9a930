import { Module } from '@nestjs/common';
import { DocumentationController } from './documentation.controller.js';
import { NotificationTypesController } from './notification-types.controller.js';
import { ProblemCatalogue } from './problem-catalogue.js';
import { ProblemsController } from './problems.controller.js';

@Module({
  controllers: [DocumentationController, ProblemsController, NotificationTypesController],
  providers: [ProblemCatalogue],
})
export class DocumentationModule {}
