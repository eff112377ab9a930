import { Controller, applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type OperationGroup } from './operation-groups.js';

/** A controller whose paths begin with the tenant. `group` is that of its operations in the documentation. */
export function TenantController(path: string, group: OperationGroup): ClassDecorator {
  return applyDecorators(Controller(`api/v1/t/:tenant${path ? `/${path}` : ''}`), ApiTags(group));
}
