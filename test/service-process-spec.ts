import { expect, it } from '@jest/globals';
import { ServiceFixture } from './support/service/service-fixture.js';

// More about processes: test/processes/.
it('starts as a process of its own, answers, and exits with 0 on SIGTERM', async () => {
  const fixture = await ServiceFixture.prepare();
  try {
    const service = fixture.start('main');
    const authorization = `Bearer ${await fixture.issuer.token()}`;
    const response = await fetch(`${await service.url()}/api/v1/tenants`, { headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([200, { items: [], nextCursor: null }]);
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
    expect(service.errors).toBe('');
  } finally {
    await fixture.cleanUp();
  }
});
