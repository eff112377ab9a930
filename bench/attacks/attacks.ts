import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, documentForm } from '../api-client.js';
import { type Attacker } from './attacker.js';
import { type AttackerTenant } from './attacker-tenant.js';

const MEBIBYTE = 1024 * 1024;
const WEBHOOKS = 20;
const READ_MS = 30_000;
const REPLAY_MS = 1000;
const WIDTHS = [200, 400, 800, 1600];

/** JSON of 1 MiB, filled with empty objects. */
function largeJson(before: string, after: string): string {
  const count = Math.floor((MEBIBYTE - before.length - after.length) / 3);
  return `${before}${'{},'.repeat(count - 1)}{}${after}`;
}

const SECRET = largeJson('{"secret":"x","junk":[', ']}');
const DEFINITION = largeJson('{"key":"k","fields":[', ']}');
const ESCAPED = largeJson('{"title":"\\u0041","junk":[', ']}');
const LARGE_DOCUMENTS = '/documents?limit=150';
const metadataConditions = Array.from({ length: 20 }, (_, n) => ({
  ...{ fieldKey: 'quantity', operator: 'GreaterThan', value: String(-1 - n) },
}));
const SEARCH = JSON.stringify({ filter: { metadataConditions }, limit: 200 });

const repeat = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** A receiver that never agreed. Its requests count as answers with status 200. */
async function startReceiver(attacker: Attacker): Promise<string> {
  const server = createServer((request, response) => {
    attacker.count(200);
    request.resume();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Attack {
  /** Runs before all attacks. */
  readonly prepare?: () => Promise<unknown>;
  /** Is repeated until the end. */
  readonly round: () => Promise<unknown>;
}

/**
 * Attacks by name.
 *
 * @param as counts the answers to the attack of this name
 */
export function attacksOf(
  { tagIds, documentIds, roleId, slowPdf, pdf, officeFile, text, textEtag }: AttackerTenant,
  client: ApiClient,
  as: (name: string, isMember?: boolean) => Attacker,
): Readonly<Record<string, Attack>> {
  const attack = (
    name: string,
    round: (attacker: Attacker) => Promise<unknown>,
    { isMember = true, ...more }: Partial<Attack> & { readonly isMember?: boolean } = {},
  ) => {
    const attacker = as(name, isMember);
    return { [name]: { round: () => round(attacker), ...more } };
  };
  const ids = [...documentIds, ...Array.from({ length: 450 }, () => randomUUID())];
  const change = (action: string, documents = ids, tags = tagIds) =>
    JSON.stringify({ action, documentIds: documents, tagIds: tags });
  const createWebhooks = async () => {
    const url = await startReceiver(as('requests to webhooks'));
    await repeat(WEBHOOKS, () => client.create('/webhooks', { url }));
  };
  let page = 0;
  const previews = (name: string, id: string) =>
    attack(name, (attacker) =>
      Promise.all(
        WIDTHS.map((width, n) =>
          attacker.send(n, `/documents/${id}/preview?page=${(page += 1)}&width=${width}`),
        ),
      ),
    );
  const textPath = `/documents/${text}/text`;
  const invitation = JSON.stringify({ email: 'victim@bench.example', roleId, message: 'x'.repeat(2000) });
  const revocations = as('revocations');
  return {
    ...attack('texts that are not sent', (attacker) =>
      repeat(6, async (n) => {
        const headers = { 'If-None-Match': textEtag };
        await attacker.send(n, textPath, { method: 'HEAD', milliseconds: READ_MS });
        await attacker.send(n, textPath, { headers, milliseconds: READ_MS });
        await attacker.send(n, `${textPath}?page=100000`, { milliseconds: READ_MS });
      }),
    ),
    ...attack('replays of events', (attacker) =>
      repeat(20, (n) => attacker.send(n, '/events/stream?after=0', { milliseconds: REPLAY_MS })),
    ),
    // Converted only with CONVERTER=libreoffice.
    ...previews('previews of an Office file', officeFile),
    ...previews('previews of a slow PDF', pdf),
    ...attack('delayed bodies', (attacker) => attacker.sendDelayed(45, '/invitations/accept', SECRET), {
      isMember: false,
    }),
    ...attack('bodies of empty objects', (attacker) =>
      repeat(4, (n) => attacker.post(n, '/documents', ESCAPED)),
    ),
    ...attack('lists of large documents', (attacker) => repeat(6, (n) => attacker.send(n, LARGE_DOCUMENTS))),
    ...attack('lists of saved views', (attacker) => repeat(4, () => attacker.send(0, '/saved-views'))),
    ...attack('bulk changes', (attacker) =>
      repeat(90, (n) => attacker.post(n, '/documents/bulk', change(Math.random() < 0.5 ? 'Tag' : 'Untag'))),
    ),
    ...attack(
      'bulk changes with webhooks',
      async (attacker) => {
        for (const action of ['Tag', 'Untag'])
          await attacker.post(1, '/documents/bulk', change(action, [...documentIds], tagIds.slice(0, 1)));
      },
      { prepare: createWebhooks },
    ),
    ...attack('fields of document types', (attacker) =>
      repeat(2, (n) => attacker.post(n, '/document-types', DEFINITION)),
    ),
    ...attack('search with conditions', (attacker) =>
      repeat(6, (n) => attacker.post(n, '/documents/search', SEARCH)),
    ),
    ...attack('unread answers', async (attacker) => {
      const sockets = Array.from({ length: 50 }, (_, n) => attacker.sendWithoutReading(n, LARGE_DOCUMENTS));
      await sleep(5000);
      for (const socket of sockets) socket.destroy();
    }),
    ...attack('mails to one address', async (attacker) => {
      const answer = await attacker.post(0, '/invitations', invitation);
      const { id } = JSON.parse(answer || '{}') as { id?: string };
      if (id !== undefined) await revocations.send(0, `/invitations/${id}`, { method: 'DELETE' });
    }),
    ...attack('slow PDFs', async (attacker) => {
      await attacker.post(0, '/documents', documentForm('slow.pdf', slowPdf));
      await sleep(1000);
    }),
  };
}
