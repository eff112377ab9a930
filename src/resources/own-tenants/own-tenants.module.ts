import { Module } from '@nestjs/common';
import { OwnTenantsController } from './own-tenants.controller.js';
import { OwnTenantsService } from './own-tenants.service.js';

@Module({
  controllers: [OwnTenantsController],
  providers: [OwnTenantsService],
})
export class OwnTenantsModule {}
