import { describe } from '@jest/globals';
import { tenantWall } from './support/tenant-wall.js';
import { wallGround } from './support/wall-ground.js';

/** Whatever a request leaves behind on its connection, the next one finds, whosever it is. */
describe('The wall between two tenants that share one connection', () => {
  tenantWall(() => wallGround({ databasePoolSize: 1 }), { step: 4 });
});
