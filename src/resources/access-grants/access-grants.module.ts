import { Module, type OnModuleInit } from '@nestjs/common';
import { ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { AccessGrantsController } from './access-grants.controller.js';
import { AccessGrantsRepository } from './access-grants.repository.js';
import { AccessGrantsService } from './access-grants.service.js';

@Module({
  controllers: [AccessGrantsController],
  providers: [AccessGrantsRepository, AccessGrantsService],
})
export class AccessGrantsModule implements OnModuleInit {
  constructor(
    private readonly sweep: ExpirySweep,
    private readonly grants: AccessGrantsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.register(this.grants);
  }
}
