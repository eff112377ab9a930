import { Controller, applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Tag } from './operation-groups.js';

/** A controller whose paths begin with the tenant. `tag` is the group of its operations in the documentation. */
export function TenantController(path: string, tag: Tag): ClassDecorator {
  return applyDecorators(Controller(`api/v1/t/:tenant${path ? `/${path}` : ''}`), ApiTags(tag));
}
