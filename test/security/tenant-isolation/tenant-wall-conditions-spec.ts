import { describe } from '@jest/globals';
import { tenantWall } from './support/tenant-wall.js';
import { rewrittenGround, startWithProxies, withService } from './support/wall-ground.js';

/** The other half of tenant-wall-row-level-security-spec.ts: either wall stands without the other. */
describe('The wall between two tenants before a role that passes row level security by', () => {
  tenantWall(
    async () => withService(await rewrittenGround(await startWithProxies(), 'ownerUrl', (sql) => sql)),
    { withTokens: false, step: 4 },
  );
});
