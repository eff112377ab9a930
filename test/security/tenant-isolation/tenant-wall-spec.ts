import { describe } from '@jest/globals';
import { tenantWall } from './support/tenant-wall.js';
import { wallGround } from './support/wall-ground.js';

describe('The wall between two tenants', () => {
  tenantWall(() => wallGround());
});
