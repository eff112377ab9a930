import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { type EventResponse } from '../../../src/platform/events/event.dto.js';
import { recordTags, sequenced } from '../../platform/events/event-log.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface EventPage {
  readonly items: EventResponse[];
  readonly nextCursor: string;
}

describe('ListEvents', () => {
  let tenant: TestTenant;
  let auditor: Actor;

  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  async function list(query: Record<string, string | number> = {}, actor = auditor): Promise<EventPage> {
    const response = await actor.get('/events').query(query);
    expect(response.status).toBe(200);
    return response.body as EventPage;
  }

  const sequences = async (query: Record<string, string | number>) =>
    (await list(query)).items.map(({ sequence }) => sequence);

  describe('as a paged list', () => {
    pagedList({
      actor: () => auditor,
      other: () => tenant.as('auditor'),
      path: '/events',
      otherPath: '/audit-log',
      // A new tenant has the event TenantCreated.
      fill: async (of, count) => {
        await recordTags(of, count - 1);
        return (await sequenced(of)).map(({ entry_id }) => entry_id);
      },
      neverEmpty: true,
      hasNoEnd: true,
    });
  });

  it('returns 200 with the events, oldest first, and writes nothing', async () => {
    const admin = await tenant.as('administrator');
    const { id: tagId } = (await admin.post('/tags', { name: 'Secret name' }).expect(201)).body as {
      id: string;
    };
    await sequenced(tenant);
    const response = await tenant.expectNoChange(() => auditor.get('/events'));

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      items: [
        {
          sequence: 0,
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'TenantCreated',
          occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          actorId: null,
          subjectType: 'Tenant',
          subjectId: tenant.id,
          related: {},
        },
        {
          sequence: 1,
          id: expect.any(String),
          type: 'TagCreated',
          occurredAt: expect.any(String),
          actorId: admin.userId,
          subjectType: 'Tag',
          subjectId: tagId,
          related: {},
        },
      ],
      nextCursor: expect.any(String),
    });
    expect(response.text).not.toContain('Secret name');
  });

  it('returns 200 with later events for the cursor of the end, and with the same ones each time', async () => {
    await sequenced(tenant);
    const { nextCursor } = await list();
    for (let i = 0; i < 2; i += 1)
      expect(await list({ cursor: nextCursor })).toEqual({ items: [], nextCursor: expect.any(String) });
    await recordTags(tenant, 2);
    await sequenced(tenant);
    for (let i = 0; i < 2; i += 1) expect(await sequences({ cursor: nextCursor })).toEqual([1, 2]);
  });

  it('returns 200 with the events after a sequence', async () => {
    await recordTags(tenant, 4);
    await sequenced(tenant);
    expect(await sequences({ after: 0 })).toEqual([1, 2, 3, 4]);
    expect(await sequences({ after: 2, limit: 1 })).toEqual([3]);
    expect(await sequences({ after: '0000000000000004' })).toEqual([]);
    const { nextCursor } = await list({ after: 1, limit: 2 });
    expect(await sequences({ cursor: nextCursor })).toEqual([4]);
  });

  it('returns 200 with a Link to the next page that has no `after`, and none on an empty page', async () => {
    await recordTags(tenant, 2);
    await sequenced(tenant);
    const page = await auditor.get('/events?after=0&limit=1&types=TagCreated').expect(200);
    const { nextCursor } = page.body as EventPage;
    expect(page.headers.link).toContain(`/events?limit=1&types=TagCreated&cursor=${nextCursor}>; rel="next"`);
    expect((await auditor.get('/events?after=2').expect(200)).headers.link).toBeUndefined();
  });

  describe('with types', () => {
    const types = 'TagDeleted,FileCreated';

    async function fill(): Promise<void> {
      const admin = await tenant.as('administrator');
      for (const round of [1, 2, 3]) {
        const { id } = (await admin.post('/tags', { name: `Tag ${round}` }).expect(201)).body as {
          id: string;
        };
        await admin.delete(`/tags/${id}`).expect(204);
      }
      await recordTags(tenant, 5);
      await sequenced(tenant);
    }

    it('returns 200 with the events of these types only, in their order', async () => {
      await fill();
      expect(await sequences({ types: 'TagDeleted' })).toEqual([2, 4, 6]);
      expect(await sequences({ types: 'TagDeleted,TenantCreated' })).toEqual([0, 2, 4, 6]);
      expect(await sequences({ types: 'TenantCreated,TagDeleted', limit: 2 })).toEqual([0, 2]);
      expect(await sequences({ types: 'TagDeleted', after: 2, limit: 1 })).toEqual([4]);
      expect(await sequences({ types: 'FileCreated' })).toEqual([]);
    });

    it('returns 200 with a cursor beyond the events that the filter left out', async () => {
      await fill();
      const { items, nextCursor } = await list({ types: 'FileCreated' });
      expect(items).toEqual([]);
      await tenant.query('DELETE FROM events WHERE tenant_id = $1 AND sequence < 10');
      expect(await list({ types: 'FileCreated', cursor: nextCursor })).toMatchObject({ items: [] });
      const full = await list({ types: 'TagCreated', after: 10, limit: 1 });
      expect(await sequences({ types: 'TagCreated', cursor: full.nextCursor })).toEqual([]);
    });

    it('returns 200 for a cursor with the same types in another order', async () => {
      await fill();
      const { nextCursor } = await list({ types, limit: 1 });
      expect(await sequences({ types: types.split(',').reverse().join(), cursor: nextCursor })).toEqual([
        4, 6,
      ]);
    });

    it('returns 400 for a cursor with other types', async () => {
      await fill();
      const { nextCursor } = await list({ types, limit: 1 });
      for (const other of [{}, { types: 'TagDeleted' }])
        expectProblem(
          await auditor.get('/events').query({ ...other, cursor: nextCursor }),
          'request.invalid',
          ['cursor'],
        );
    });

    it.each([
      '',
      ',',
      'TagEaten',
      'TagDeleted,TagEaten',
      'tagdeleted',
      'TagDeleted,TagDeleted',
      ' TagDeleted',
    ])('returns 400 for the types "%s"', async (wrong) =>
      expectProblem(await auditor.get('/events').query({ types: wrong }), 'request.invalid', ['types']),
    );
  });

  it.each(['', '-1', '1.5', '1e1', '0x1', 'x', '9007199254740992', '99999999999999999'])(
    'returns 400 for the sequence "%s"',
    async (after) =>
      expectProblem(await auditor.get('/events').query({ after }), 'request.invalid', ['after']),
  );

  it('returns 400 for a sequence beyond the newest event, and 200 for that of the newest', async () => {
    await sequenced(tenant);
    expect(await list({ after: 0 })).toMatchObject({ items: [] });
    for (const after of [1, Number.MAX_SAFE_INTEGER])
      expectProblem(await auditor.get('/events').query({ after }), 'request.invalid', ['after']);
  });

  it('returns 400 for a sequence together with a cursor', async () => {
    await sequenced(tenant);
    const { nextCursor } = await list();
    const response = await auditor.get('/events').query({ after: 0, cursor: nextCursor });
    expectProblem(response, 'request.invalid', ['after']);
  });

  describe('after the database was restored', () => {
    it('returns 400 for a cursor when the log has another id', async () => {
      await sequenced(tenant);
      const { nextCursor } = await list();
      await tenant.query('UPDATE event_logs SET id = $2 WHERE tenant_id = $1', newId());
      const response = await auditor.get('/events').query({ cursor: nextCursor });
      expectProblem(response, 'request.invalid', ['cursor']);
      expect(JSON.stringify(response.body)).toContain('belongs to another event log');
    });

    it('returns 400 for a cursor when the log has another event at its place, or none', async () => {
      await recordTags(tenant, 2);
      await sequenced(tenant);
      const [first, last] = [await list({ limit: 1 }), await list()];
      const refused = async () =>
        expectProblem(await auditor.get('/events').query({ cursor: last.nextCursor }), 'request.invalid', [
          'cursor',
        ]);
      // As after a recovery to a point in time, which keeps the id of the log.
      await tenant.query('DELETE FROM events WHERE tenant_id = $1 AND sequence > 0');
      await tenant.query('UPDATE event_logs SET next_sequence = 1 WHERE tenant_id = $1');
      await refused();
      await recordTags(tenant, 5);
      await sequenced(tenant);
      await refused();
      expect(await sequences({ cursor: first.nextCursor })).toEqual([1, 2, 3, 4, 5]);
    });
  });

  it('returns 200 with an empty page in a tenant without a log, and with its first event later', async () => {
    await sequenced(tenant);
    await tenant.query('DELETE FROM event_logs WHERE tenant_id = $1');
    await tenant.query('DELETE FROM events WHERE tenant_id = $1');
    expect(await list()).toEqual({ items: [], nextCursor: expect.any(String) });
    expectProblem(await auditor.get('/events?after=0'), 'request.invalid', ['after']);
    await recordTags(tenant, 1);
    await sequenced(tenant);
    expect(await sequences({})).toEqual([0]);
  });
});
