import { beforeAll, describe, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { waitForPrice } from '../../support/price.js';
import { service } from '../../support/service/shared-service.js';

/** JSON of 1 MiB, for an operation that accepts 64 KiB. */
const LARGE = { name: 'x'.repeat(1024 * 1024) };
/** Number of requests that the discarded bytes cost: 256 KiB each. */
const PRICE = 4;

describe('A refused body', () => {
  let actor: Actor;
  beforeAll(async () => {
    const tenant = await service.tenant();
    // The bucket does not refill during a test.
    await tenant.limitRequests(1, 1000);
    actor = await tenant.as('administrator');
  });

  it('costs its caller what is read of it', async () => {
    await waitForPrice(actor, () => actor.post('/tags', LARGE).expect(413), 1 + PRICE);
  });
});
