import { Module } from '@nestjs/common';
import { OperationsController } from './health.controller.js';

@Module({ controllers: [OperationsController] })
export class OperationsModule {}
