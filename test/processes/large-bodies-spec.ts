import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenRequest } from '../security/limits/open-request.js';
import { waitUntil } from '../support/wait-until.js';
import { SmallHeapService } from './small-heap-service.js';

const MEBIBYTE = 1024 * 1024;
const CLIENTS = 45;

/** A JSON object of 1 MiB with an undeclared member `junk` that contains as many values as fit. */
function bodyWithJunk(members: string): string {
  const empty = `{${members},"junk":[`;
  const count = Math.floor((MEBIBYTE - empty.length - 2) / 3);
  return `${empty}${'{},'.repeat(count - 1)}{}]}`;
}

/** A JSON object of exactly 1 MiB. */
function padded(members: string): string {
  const empty = `{${members},"unknown":""}`;
  return empty.replace('""', `"${'x'.repeat(MEBIBYTE - empty.length)}"`);
}

describe('Many large bodies at once', () => {
  let service: SmallHeapService;
  let openRequests: OpenRequest[] = [];
  beforeAll(async () => {
    service = await SmallHeapService.start({ RATE_LIMIT_BURST: '10000' });
  });
  afterEach(() => {
    for (const request of openRequests) request.close();
    openRequests = [];
  });
  afterAll(() => service.stop());

  const open = async (token: string, target: string, body: string, count = CLIENTS) => {
    const requests = Array.from({ length: count }, () => OpenRequest.post(service.url, target, token, body));
    const begun = await Promise.all(requests);
    openRequests.push(...begun);
    return begun;
  };
  const statuses = (requests: readonly OpenRequest[]) =>
    requests.map(({ status }) => status).sort((a, b) => a - b);

  it('do not end the process when a caller without a tenant sends them', async () => {
    const { token } = await (await service.testService.tenant()).as('guest');
    const body = bodyWithJunk('"secret":"x"');
    const requests = await open(token, '/api/v1/t/no-such-tenant/invitations/accept', body);
    for (const request of requests) request.finish();
    await Promise.all(requests.map((request) => request.waitForResponse()));
    expect(await service.isAlive()).toBe(true);
    expect(statuses(requests)).toEqual(Array<number>(CLIENTS).fill(413));
  });

  it('lead to 400 when one has more values than the operation accepts', async () => {
    const { token, tenant } = await (await service.testService.tenant()).as('administrator');
    const body = bodyWithJunk('"title":"\\u0041"');
    const [request] = await open(token, `/api/v1/t/${tenant.slug}/documents`, body, 1);
    request?.finish();
    const response = await request?.waitForResponse();
    expect(response?.status).toBe(400);
    expect(response?.body).toContain('The body has more than 5000 values.');
  });

  it('lead to 503 with Retry-After beyond the share of a caller, but not for another tenant', async () => {
    const attacker = await (await service.testService.tenant()).as('administrator');
    const other = await (await service.testService.tenant()).as('administrator');
    const documents = (slug: string) => `/api/v1/t/${slug}/documents`;
    const body = padded('"title":"Large"');
    const requests = await open(attacker.token, documents(attacker.tenant.slug), body);
    // These responses come before the last byte is sent. A caller's share is 1/8 of 1/16 of the heap.
    const share = Math.floor((await SmallHeapService.heapSize()) / 16 / 8 / MEBIBYTE);
    await waitUntil(() => requests.filter(({ status }) => status === 503).length >= CLIENTS - share);
    const served = requests.filter(({ status }) => status === 0);
    expect(served).toHaveLength(share);
    for (const { response } of requests.filter(({ status }) => status !== 0)) {
      expect(response.status).toBe(503);
      expect(response.headers).toMatch(/^retry-after: \d+$/im);
    }

    const [otherRequest] = await open(other.token, documents(other.tenant.slug), body, 1);
    otherRequest?.finish();
    expect((await otherRequest?.waitForResponse())?.status).toBe(201);

    for (const request of served) request.finish();
    for (const request of served) expect((await request.waitForResponse()).status).toBe(201);
    // The memory of the finished requests is available again.
    const [again] = await open(attacker.token, documents(attacker.tenant.slug), body, 1);
    again?.finish();
    expect((await again?.waitForResponse())?.status).toBe(201);
  });
});
