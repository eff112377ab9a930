import { Module } from '@nestjs/common';
import { OwnTenantsController } from './own-tenants.controller.js';
import { OwnTenantsRepository } from './own-tenants.repository.js';
import { OwnTenantsService } from './own-tenants.service.js';

@Module({
  controllers: [OwnTenantsController],
  providers: [OwnTenantsRepository, OwnTenantsService],
})
export class OwnTenantsModule {}
