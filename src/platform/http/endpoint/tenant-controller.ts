import { Controller, applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Tag } from './operation-groups.js';

/** A controller under a tenant; `tag` is the group that the documentation shows its operations in. */
export function TenantController(path: string, tag: Tag): ClassDecorator {
  return applyDecorators(Controller(`api/v1/t/:tenant${path ? `/${path}` : ''}`), ApiTags(tag));
}
