import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/common/identifier.js';
import { saveAccessGrant } from '../factories/access-grants.js';
import { saveDocument } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { saveInvitation } from '../factories/invitations.js';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service/service.js';
import { type TestTenant } from '../support/tenant.js';

// The rounds take long on a busy machine.
jest.setTimeout(1_800_000);

const ROUNDS = Math.max(400, 100 * Number(process.env.FAULT_ROUNDS ?? 20));

/**
 * Maximum difference from 1/2 of the probability that one answer takes longer than the other. With 400 rounds and equal
 * times, the standard deviation is 0.02, and at most 0.03 on a busy machine: each round sends both requests in random
 * order, so the load affects both equally. Five standard deviations are less likely than one in a million. One more
 * database round trip (0.5 ms of 2 ms) changes the probability by more than 0.3.
 */
const NOISE = 0.15;

type SendRequest = () => Promise<void>;

/** Probability that a value of `one` is greater than a value of `other` (Mann–Whitney U as a share). */
function shareLonger(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((time) => ({ time, wins: 1 })), ...other.map((time) => ({ time, wins: 0 }))];
  all.sort((a, b) => a.time - b.time);
  let before = 0;
  let won = 0;
  for (let index = 0; index < all.length;) {
    const { time } = all[index] ?? { time: 0 };
    let [ones, others] = [0, 0];
    for (; all[index]?.time === time; index += 1) {
      if (all[index]?.wins) ones += 1;
      else others += 1;
    }
    won += ones * (before + others / 2);
    before += others;
  }
  return won / (one.length * other.length);
}

describe('shareLonger', () => {
  const sample = (from: number) => Array.from({ length: 400 }, (_, n) => from + (n % 40) / 40);

  it('measures how often values of one sample are greater', () => {
    expect(shareLonger(sample(2), sample(2))).toBeCloseTo(0.5);
    expect(shareLonger(sample(3), sample(2))).toBeCloseTo(1, 1);
    expect(shareLonger(sample(2), sample(3))).toBeCloseTo(0, 1);
    // Shifted by a quarter of the width of the samples.
    expect(Math.abs(shareLonger(sample(2.25), sample(2)) - 0.5)).toBeGreaterThan(NOISE);
  });
});

describe('The response time is the same', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let guest: Actor;
  let fileId: string;
  beforeAll(async () => {
    service = await TestService.shared();
    service.app.getHttpServer().keepAliveTimeout = 0;
    tenant = await service.tenant();
    [editor, guest] = [await tenant.as('editor'), await tenant.as('guest')];
    const file = await saveFile(tenant, editor);
    fileId = file.id;
    await saveAccessGrant(tenant, guest, { file: fileId }, { level: 'Write' });
  });

  const sending =
    ({ token }: Actor, method: string, path: string, body?: object, slug = tenant.slug): SendRequest =>
    async () => {
      const response = await fetch(`${service.url}/api/v1/t/${slug}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (![403, 404].includes(response.status)) throw new Error(`Answered ${response.status}`);
    };

  async function timed(send: SendRequest): Promise<number> {
    const begin = performance.now();
    await send();
    return performance.now() - begin;
  }

  async function expectEqualTiming(one: SendRequest, other: SendRequest): Promise<void> {
    for (let round = 0; round < 20; round += 1) await Promise.all([one(), other()]);
    const times: [number[], number[]] = [[], []];
    const shares: number[] = [];
    do {
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
        for (const which of order) times[which].push(await timed(which === 0 ? one : other));
      }
      shares.push(shareLonger(...times));
      // Repeat: a real difference stays, a random one does not.
    } while (Math.abs(shares.at(-1)! - 0.5) >= NOISE && shares.length < 3);
    const list = shares.map((share) => share.toFixed(3)).join(', ');
    process.stderr.write(
      `${expect.getState().currentTestName}: share of rounds in which the first request takes longer: ${list}\n`,
    );
    expect(Math.abs(shares.at(-1)! - 0.5)).toBeLessThan(NOISE);
  }

  it('for a tenant without access and for an unknown tenant', async () => {
    const nonMember = await tenant.nonMember();
    const unknown = `t-${randomBytes(8).toString('hex')}`;
    await expectEqualTiming(
      sending(nonMember, 'GET', '/files'),
      sending(nonMember, 'GET', '/files', undefined, unknown),
    );
  });

  it.each([
    ['GET', undefined],
    ['PUT', { title: 'x' }],
  ])(
    'for a document that is confidential to others and for an unknown document: %s',
    async (method, body) => {
      const maker = await tenant.as('editor');
      const { id } = await saveDocument(tenant, maker, { fileIds: [fileId], confidentialTo: [maker] });
      await expectEqualTiming(
        sending(editor, method, `/documents/${id}`, body),
        sending(editor, method, `/documents/${newId()}`, body),
      );
    },
  );

  it('for a guest and a file without a grant, and for an unknown file', async () => {
    const hidden = await saveFile(tenant, editor);
    await expectEqualTiming(
      sending(guest, 'GET', `/files/${hidden.id}/documents`),
      sending(guest, 'GET', `/files/${newId()}/documents`),
    );
  });

  it('for an accepted invitation and for an unknown one', async () => {
    const invited = await tenant.nonMember();
    const used = await saveInvitation(tenant, editor, { email: invited.email, status: 'Accepted' });
    const unknown = randomBytes(32).toString('base64url');
    await expectEqualTiming(
      sending(invited, 'POST', '/invitations/accept', { secret: used.secret }),
      sending(invited, 'POST', '/invitations/accept', { secret: unknown }),
    );
  });
});
