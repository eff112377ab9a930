import { beforeAll, describe, expect } from '@jest/globals';
import { type Test } from 'supertest';
import { BinPurge } from '../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, saveTag, saveVersion } from '../factories/documents.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  isSuccess,
  times,
  auditLines,
} from './support/race-fixture.js';

interface BulkResult {
  readonly documentId: string;
  readonly outcome: 'Done' | 'Unchanged' | 'Refused';
  readonly problem: { readonly type: string; readonly status: number } | null;
}

describe('Concurrent changes of documents', () => {
  const fixture = new RaceFixture(3);
  let tenant: TestTenant;
  let people: Actor[];
  beforeAll(() => {
    ({ tenant, people } = fixture);
  });

  const saveSome = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await saveDocument(tenant, people[0]!)).id);
    return ids;
  };
  const stored = async (ids: readonly string[]) => {
    const rows = await fixture.service.query<{ id: string; status: string; before: string | null }>(
      `SELECT id, status, status_before_deletion AS before FROM documents
        WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
      [tenant.id, ids],
    );
    return new Map(rows.map(({ id, ...rest }) => [id, rest]));
  };

  fixture.race('in bulk and one by one: each change has one audit entry', async (round) => {
    const { random, writers, anyone, concurrently } = round;
    const ids = await saveSome(6);
    const tags = [await saveTag(tenant), await saveTag(tenant)];
    const actions = {
      Archive: { action: 'DocumentArchived', path: 'archive' },
      Delete: { action: 'DocumentDeleted', path: null },
      Tag: { action: 'DocumentTagged', path: null },
    } as const;
    const sent = times(writers, () => {
      const kind = random.pick(['Archive', 'Delete', 'Tag'] as const);
      const actor = anyone();
      const tagId = random.pick(tags).id;
      const isBulk = kind === 'Tag' || random.next() < 0.6;
      const chosen = random.shuffled(ids).slice(0, isBulk ? random.between(2, 6) : 1);
      const [id = ''] = chosen;
      let test: Test;
      if (isBulk) {
        const targets = kind === 'Tag' ? { tagIds: [tagId] } : {};
        test = actor.post('/documents/bulk', { action: kind, documentIds: chosen, ...targets });
      } else {
        test = kind === 'Archive' ? actor.post(`/documents/${id}/archive`) : actor.delete(`/documents/${id}`);
      }
      return { kind, isBulk, chosen, test };
    });
    const answers = await concurrently(sent.map(({ test }) => test));
    const done: string[] = [];
    for (const [n, { kind, isBulk, chosen }] of sent.entries()) {
      const answer = answers[n]!;
      if (!isBulk) {
        expectSuccessOr([answer], 'document.deleted', 'document.archived');
        if (isSuccess(answer)) done.push(`${actions[kind].action} ${chosen[0]}`);
        continue;
      }
      expect(answer.status).toBe(200);
      const { results } = answer.body as { results: BulkResult[] };
      expect(results.map(({ documentId }) => documentId)).toEqual(chosen);
      for (const { documentId, outcome, problem } of results) {
        if (outcome === 'Done') done.push(`${actions[kind].action} ${documentId}`);
        else if (outcome === 'Refused') expect(problem?.status).toBe(409);
        else expect(kind).toBe('Tag');
      }
    }
    expect(await fixture.takeAuditLines()).toEqual(done.sort());
    const after = await stored(ids);
    for (const id of ids) {
      const [isArchived, isDeleted] = ['Archived', 'Deleted'].map((what) =>
        done.includes(`Document${what} ${id}`),
      );
      // A deleted document cannot be archived, so it was archived before.
      const alive = isArchived ? 'Archived' : 'Active';
      expect(after.get(id)).toEqual(
        isDeleted ? { status: 'Deleted', before: alive } : { status: alive, before: null },
      );
    }
    return `${done.length > 0 ? 'some' : 'nothing'} changed`;
  });

  fixture.race(
    'that purge and restore deleted documents: exactly one of both succeeds',
    async ({ random, writers, anyone, concurrently }) => {
      const ids = await saveSome(4);
      await fixture.service.query(
        `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() - interval '31 days'
        WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
        [tenant.id, ids],
      );
      const chosen = times(writers, () => random.pick(ids));
      const answers = await concurrently(
        chosen.map((id) => anyone().post(`/documents/${id}/restore`)),
        () => fixture.service.app.get(BinPurge).purge(),
        () => fixture.second.app.get(BinPurge).purge(),
      );
      expectSuccessOr(answers, 'document.not-deleted', 'resource.not-found');
      const after = await stored(ids);
      const expected: string[] = [];
      for (const id of ids) {
        const ofThis = answers.filter((_, n) => chosen[n] === id);
        const restored = ofThis.filter(isSuccess).length;
        expect(restored).toBeLessThanOrEqual(1);
        if (restored > 0) {
          expectOneSuccess(ofThis, 'document.not-deleted');
          expect(after.get(id)).toEqual({ status: 'Active', before: null });
          expected.push(`DocumentRestored ${id}`);
        } else {
          expect(after.has(id)).toBe(false);
          expected.push(`DocumentPurged ${id}`);
        }
      }
      expect(await fixture.takeAuditLines()).toEqual(expected.sort());
      await fixture.service.query('DELETE FROM documents WHERE tenant_id = $1', [tenant.id]);
      const count = expected.filter((entry) => entry.startsWith('DocumentRestored')).length;
      return `${count} of 4 restored`;
    },
  );

  let versioned: string | undefined;
  fixture.race('that replace the content of one document: exactly one succeeds', async (round) => {
    const { writers, concurrently, anyone, number } = round;
    if (versioned === undefined) {
      versioned = (await saveDocument(tenant, people[0]!)).id;
      await saveVersion(tenant, people[0]!, versioned, { bytes: 'first' });
    }
    const id = versioned;
    const answers = await concurrently(
      times(writers, (n) => {
        const actor = anyone();
        // The version before the newest one, whose content always differs.
        return n % 4 === 3 && number > 1
          ? actor.post(`/documents/${id}/versions/${number - 1}/restore`)
          : putContent(actor, id, `version ${number} ${n}`);
      }),
    );
    // The first request sets the status to Processing, and then the content cannot be replaced.
    const winner = expectOneSuccess(answers, 'document.processing');
    const isRestored = answers.indexOf(winner) % 4 === 3 && number > 1;
    const entries = await fixture.takeAuditEntries();
    expect(auditLines(entries)).toEqual([`DocumentUpdated ${id}`]);
    expect(entries[0]?.summary).toContain(`version ${number + 1}`);
    const versions = await fixture.service.query<{ number: number }>(
      'SELECT number FROM document_versions WHERE tenant_id = $1 AND document_id = $2 ORDER BY number',
      [tenant.id, id],
    );
    expect(versions.map((version) => version.number)).toEqual(times(number + 1, (n) => n + 1));
    await fixture.service.query(`UPDATE documents SET status = 'Active' WHERE tenant_id = $1 AND id = $2`, [
      tenant.id,
      id,
    ]);
    return isRestored ? 'a former version' : 'a new version';
  });

  fixture.race(
    'that make a document confidential and add a user to its list',
    async ({ writers, anyone, concurrently }) => {
      const owner = people[0]!;
      const { id } = await saveDocument(tenant, owner);
      const guest = await tenant.as('guest');
      const [hidden, ...added] = await concurrently([
        anyone().put(`/documents/${id}/confidentiality`, { isConfidential: true }),
        ...times(writers - 1, () => anyone().put(`/documents/${id}/confidential-access/${guest.userId}`)),
      ]);
      expect(hidden.status).toBe(200);
      expectSuccessOr(added, 'document.not-confidential');
      const isAdded = added.some(isSuccess);
      expect(await fixture.takeAuditLines()).toEqual(
        [`ConfidentialUserAdded ${id}`, `ConfidentialityChanged ${id}`].slice(isAdded ? 0 : 1),
      );
      const list = await fixture.service.query<{ user_id: string }>(
        'SELECT user_id FROM document_confidential_users WHERE tenant_id = $1 AND document_id = $2',
        [tenant.id, id],
      );
      expect(list.map(({ user_id }) => user_id).sort()).toEqual(
        [owner.userId, ...(isAdded ? [guest.userId] : [])].sort(),
      );
      return isAdded ? 'added' : 'not yet confidential';
    },
  );

  fixture.race(
    'that hide a document from users who read and write it: hidden from all of them at once',
    async (round) => {
      const { random, writers, onAnyInstance, concurrently } = round;
      const [owner, ...others] = people as [Actor, ...Actor[]];
      const { id } = await saveDocument(tenant, owner);
      const [hidden, ...answers] = await concurrently([
        onAnyInstance(owner).put(`/documents/${id}/confidentiality`, { isConfidential: true }),
        ...times(writers - 1, (n) => {
          const actor = onAnyInstance(random.pick(others));
          return n % 2 ? actor.get(`/documents/${id}`) : actor.put(`/documents/${id}`, { title: `Neu ${n}` });
        }),
      ]);
      expect(hidden.status).toBe(200);
      expectSuccessOr(answers, 'resource.not-found');
      for (const { body } of answers.filter(isSuccess)) expect(body).toMatchObject({ isConfidential: false });
      const written = answers.filter((answer, n) => n % 2 === 0 && isSuccess(answer));
      expect(await fixture.takeAuditLines()).toEqual([
        `ConfidentialityChanged ${id}`,
        ...written.map(() => `DocumentUpdated ${id}`),
      ]);
      expectProblem(await onAnyInstance(random.pick(others)).get(`/documents/${id}`), 'resource.not-found');
      return written.length === 0 ? 'hidden first' : 'written before';
    },
  );
});
