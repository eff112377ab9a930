import { setTimeout as sleep } from 'node:timers/promises';
import { type Attacker } from './attacker.js';

const TEXT = `${'Der Text der Seite.\n'.repeat(100)}\f`.repeat(1000);
const READ_MS = 30_000;
const REPLAY_MS = 1000;

/** Attacks with requests that read much and send little, and with streams that are opened again and again. */
export async function prepareLargeReads(
  attacker: Attacker,
  origin: string,
): Promise<Record<string, () => Promise<unknown>>> {
  const headers = { authorization: attacker.authorization };
  const form = new FormData();
  form.set('document', new Blob([JSON.stringify({ title: 'Text' })], { type: 'application/json' }));
  form.set('content', new Blob([TEXT], { type: 'text/plain' }), 'text.txt');
  const created = await fetch(`${origin}${attacker.path('/documents')}`, {
    method: 'POST',
    headers,
    body: form,
  });
  const { id } = (await created.json()) as { id: string };
  const text = attacker.path(`/documents/${id}/text`);
  let etag: string | null = null;
  while (etag === null) {
    await sleep(200);
    etag = (await fetch(`${origin}${text}`, { method: 'HEAD', headers })).headers.get('etag');
  }
  const known = { 'If-None-Match': etag };
  const replay = attacker.path('/events/stream?after=0');
  const repeat = (count: number, work: (n: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  return {
    'texts that are not sent': () =>
      repeat(6, async (n) => {
        const name = 'texts that are not sent';
        await attacker.readFor(READ_MS, name, n, text, { method: 'HEAD' });
        await attacker.readFor(READ_MS, name, n, text, { headers: known });
        await attacker.readFor(READ_MS, name, n, `${text}?page=100000`);
      }),
    'replays of events': () => repeat(20, (n) => attacker.readFor(REPLAY_MS, 'replays of events', n, replay)),
  };
}
