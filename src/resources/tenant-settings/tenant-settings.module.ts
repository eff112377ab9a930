import { Module } from '@nestjs/common';
import { TenantSettingsController } from './tenant-settings.controller.js';
import { TenantSettingsService } from './tenant-settings.service.js';
import { TenantSlugsRepository } from './tenant-slugs.repository.js';

@Module({
  controllers: [TenantSettingsController],
  providers: [TenantSettingsService, TenantSlugsRepository],
})
export class TenantSettingsModule {}
