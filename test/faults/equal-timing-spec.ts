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

// Where the machine has much else to do, the rounds take their time.
jest.setTimeout(1_800_000);

const ROUNDS = Math.max(400, 100 * Number(process.env.FAULT_ROUNDS ?? 20));

/**
 * How far 1/2 the probability may be from with which the one answer takes longer than the other. With 400 rounds and
 * no difference, one standard deviation is 0.02, and no more than 0.03 whatever else the machine has to do: in each
 * round both are asked, in an order that random decides, so that neither is asked in better times. Five of them are
 * less likely than one in a million. A further trip to the database, half a millisecond of two, moves it by more than
 * 0.3.
 */
const NOISE = 0.15;

type Ask = () => Promise<void>;

/** The probability that one of the former takes longer than one of the latter (Mann and Whitney's U, as a share). */
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

describe('How much longer one of two samples is', () => {
  const sample = (from: number) => Array.from({ length: 400 }, (_, n) => from + (n % 40) / 40);

  it('is told by how often', () => {
    expect(shareLonger(sample(2), sample(2))).toBeCloseTo(0.5);
    expect(shareLonger(sample(3), sample(2))).toBeCloseTo(1, 1);
    expect(shareLonger(sample(2), sample(3))).toBeCloseTo(0, 1);
    // A quarter of their width.
    expect(Math.abs(shareLonger(sample(2.25), sample(2)) - 0.5)).toBeGreaterThan(NOISE);
  });
});

describe('Answers that must be alike take the same time', () => {
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

  const asking =
    ({ token }: Actor, method: string, path: string, body?: object, slug = tenant.slug): Ask =>
    async () => {
      const response = await fetch(`${service.url}/api/v1/t/${slug}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (![403, 404].includes(response.status)) throw new Error(`Answered ${response.status}`);
    };

  async function timed(ask: Ask): Promise<number> {
    const begin = performance.now();
    await ask();
    return performance.now() - begin;
  }

  async function expectAlike(one: Ask, other: Ask): Promise<void> {
    for (let round = 0; round < 20; round += 1) await Promise.all([one(), other()]);
    const times: [number[], number[]] = [[], []];
    const shares: number[] = [];
    do {
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
        for (const which of order) times[which].push(await timed(which === 0 ? one : other));
      }
      shares.push(shareLonger(...times));
      // Chance is not the same twice; a difference is.
    } while (Math.abs(shares.at(-1)! - 0.5) >= NOISE && shares.length < 3);
    const told = shares.map((share) => share.toFixed(3)).join(', then ');
    process.stderr.write(`${expect.getState().currentTestName}: the one takes longer with ${told}\n`);
    expect(Math.abs(shares.at(-1)! - 0.5)).toBeLessThan(NOISE);
  }

  it('a tenant that somebody has no access to, and one that does not exist', async () => {
    const outsider = await tenant.nonMember();
    const unknown = `t-${randomBytes(8).toString('hex')}`;
    await expectAlike(
      asking(outsider, 'GET', '/files'),
      asking(outsider, 'GET', '/files', undefined, unknown),
    );
  });

  it.each([
    ['GET', undefined],
    ['PUT', { title: 'x' }],
  ])('a document that is confidential to others, and one that is not there: %s', async (method, body) => {
    const maker = await tenant.as('editor');
    const { id } = await saveDocument(tenant, maker, { fileIds: [fileId], confidentialTo: [maker] });
    await expectAlike(
      asking(editor, method, `/documents/${id}`, body),
      asking(editor, method, `/documents/${newId()}`, body),
    );
  });

  it('to a guest, a file that is not granted, and one that is not there', async () => {
    const hidden = await saveFile(tenant, editor);
    await expectAlike(
      asking(guest, 'GET', `/files/${hidden.id}/documents`),
      asking(guest, 'GET', `/files/${newId()}/documents`),
    );
  });

  it('an invitation that was used, and one that there never was', async () => {
    const invited = await tenant.nonMember();
    const used = await saveInvitation(tenant, editor, { email: invited.email, status: 'Accepted' });
    const unknown = randomBytes(32).toString('base64url');
    await expectAlike(
      asking(invited, 'POST', '/invitations/accept', { secret: used.secret }),
      asking(invited, 'POST', '/invitations/accept', { secret: unknown }),
    );
  });
});
