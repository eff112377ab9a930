import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSlowPdf } from '../../test/factories/content/pdf-files.js';
import { Attacker } from './attacker.js';
import { prepareLargeReads } from './large-reads.js';
import { preparePreviews } from './previews.js';

const MEBIBYTE = 1024 * 1024;

/** JSON of 1 MiB, filled with empty objects. */
function largeJson(before: string, after: string): string {
  const count = Math.floor((MEBIBYTE - before.length - after.length) / 3);
  return `${before}${'{},'.repeat(count - 1)}{}${after}`;
}

const WEBHOOKS = 20;

/** A receiver that never agreed. It counts its requests as answers with status 200. */
async function startReceiver(attacker: Attacker, attack: string): Promise<string> {
  const server = createServer((request, response) => {
    attacker.count(attack, 200);
    request.resume();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export interface Attacks {
  readonly typeId: string;
  /** Attacks by name. Each call runs one round. */
  readonly all: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Creates the data that the attacks need in the tenant of the attacker. */
export async function prepareAttacks(
  attacker: Attacker,
  nonMemberToken: string,
  origin: string,
): Promise<Attacks> {
  const headers = { authorization: '', 'content-type': 'application/json' };
  const create = async (resource: string, body: object): Promise<string> => {
    const response = await fetch(`${origin}${attacker.path(resource)}`, {
      method: 'POST',
      headers: { ...headers, authorization: attacker.authorization },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${resource}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  const fields = Array.from({ length: 100 }, (_, n) => ({
    ...{ key: `f${n + 1}`, type: 'Text', required: false, labelDe: 'Feld', labelEn: 'Field' },
  }));
  const typeId = await create('/document-types', {
    key: 'large',
    nameDe: 'Groß',
    nameEn: 'Large',
    fields,
  });
  const quantity = {
    key: 'quantity',
    type: 'Number',
    required: false,
    labelDe: 'Menge',
    labelEn: 'Quantity',
  };
  await create('/document-types', {
    key: 'counted',
    nameDe: 'Gezählt',
    nameEn: 'Counted',
    fields: [quantity],
  });
  const tagIds: string[] = [];
  for (let n = 0; n < 20; n += 1) tagIds.push(await create('/tags', { name: `Tag ${n}` }));
  const documentIds: string[] = [];
  for (let n = 0; n < 50; n += 1) documentIds.push(await create('/documents', { title: `Document ${n}` }));
  const ids = [...documentIds, ...Array.from({ length: 450 }, () => randomUUID())];
  const bulk = () =>
    JSON.stringify({ action: Math.random() < 0.5 ? 'Tag' : 'Untag', documentIds: ids, tagIds });

  const nonMember = new Attacker(origin, 'no-such-tenant', [nonMemberToken]);
  nonMember.answers.clear();
  const secret = {
    target: nonMember.path('/invitations/accept'),
    body: largeJson('{"secret":"x","junk":[', ']}'),
  };
  const receiver = await startReceiver(attacker, 'requests to webhooks');
  const existing = JSON.stringify({ action: 'Tag', documentIds, tagIds: [tagIds[0]] });
  const reversed = existing.replace('"Tag"', '"Untag"');
  let webhooks: Promise<unknown> | undefined;
  const definition = largeJson('{"key":"k","fields":[', ']}');
  const escaped = largeJson('{"title":"\\u0041","junk":[', ']}');
  const metadataConditions = Array.from({ length: 20 }, (_, n) => ({
    ...{ fieldKey: 'quantity', operator: 'GreaterThan', value: String(-1 - n) },
  }));
  const search = JSON.stringify({ filter: { metadataConditions }, limit: 200 });
  const documents = attacker.path('/documents?limit=150');
  const views = attacker.path('/saved-views');
  const pdf = buildSlowPdf();
  const roles = await attacker.send('setup', 0, 'GET', attacker.path('/roles'));
  const roleId = (JSON.parse(roles.toString()) as { items: { id: string }[] }).items[0]?.id;
  const invitation = JSON.stringify({ email: 'victim@bench.example', roleId, message: 'x'.repeat(2000) });
  const repeat = (count: number, work: (n: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));

  return {
    typeId,
    all: {
      ...(await prepareLargeReads(attacker, origin)),
      ...(await preparePreviews(attacker, origin)),
      'delayed bodies': async () => {
        await nonMember.sendDelayed('delayed bodies', 0, 45, secret);
        for (const [name, byStatus] of nonMember.answers)
          for (const [status, count] of byStatus)
            for (let n = 0; n < count; n += 1) attacker.count(name, status);
        nonMember.answers.clear();
      },
      'bodies of empty objects': () =>
        repeat(4, (n) =>
          attacker.send('bodies of empty objects', n, 'POST', attacker.path('/documents'), escaped),
        ),
      'lists of large documents': () =>
        repeat(6, (n) => attacker.send('lists of large documents', n, 'GET', documents)),
      'lists of saved views': () => repeat(4, () => attacker.send('lists of saved views', 0, 'GET', views)),
      'bulk changes': () =>
        repeat(90, (n) => attacker.send('bulk changes', n, 'POST', attacker.path('/documents/bulk'), bulk())),
      'bulk changes with webhooks': async () => {
        webhooks ??= repeat(WEBHOOKS, () => create('/webhooks', { url: receiver }));
        await webhooks;
        for (const body of [existing, reversed])
          await attacker.send(
            'bulk changes with webhooks',
            1,
            'POST',
            attacker.path('/documents/bulk'),
            body,
          );
      },
      'fields of document types': () =>
        repeat(2, (n) =>
          attacker.send('fields of document types', n, 'POST', attacker.path('/document-types'), definition),
        ),
      'search with conditions': () =>
        repeat(6, (n) =>
          attacker.send('search with conditions', n, 'POST', attacker.path('/documents/search'), search),
        ),
      'unread answers': async () => {
        const sockets = Array.from({ length: 50 }, (_, n) => attacker.sendWithoutReading(n, documents));
        await sleep(5000);
        for (const socket of sockets) socket.destroy();
      },
      'mails to one address': async () => {
        const target = attacker.path('/invitations');
        const answer = await attacker.send('mails to one address', 0, 'POST', target, invitation);
        const { id } = JSON.parse(answer.toString() || '{}') as { id?: string };
        if (id !== undefined) await attacker.send('revocations', 0, 'DELETE', `${target}/${id}`);
      },
      'slow PDFs': async () => {
        const form = new FormData();
        form.set('document', new Blob([JSON.stringify({ title: 'Slow' })], { type: 'application/json' }));
        form.set('content', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'slow.pdf');
        const status = await fetch(`${origin}${attacker.path('/documents')}`, {
          method: 'POST',
          headers: { authorization: attacker.authorization },
          body: form,
        }).then(
          ({ status }) => status,
          () => 0,
        );
        attacker.count('slow PDFs', status);
        await sleep(1000);
      },
    },
  };
}
