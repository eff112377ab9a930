import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pseudoRandomBytes, sha256Of } from '../../../support/content-fixtures.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { RawClient } from '../../../support/raw-client.js';
import { waitUntil } from '../../../support/wait-until.js';
import { DOCUMENT, MEBIBYTE, UploadFixture, file, form, readUpload } from './upload-fixture.js';

function head(length: number | 'chunked'): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=bound\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;
}

describe('readMultipartUpload with a raw connection', () => {
  const fixture = new UploadFixture(readUpload);
  afterEach(() => void jest.useRealTimers());

  it('reads a body that arrives byte by byte', async () => {
    const body = form(DOCUMENT, file('hello'));
    const client = await RawClient.open(fixture.url);
    client.socket.setNoDelay(true);
    client.send(head(body.length));
    for (const byte of body) {
      client.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(await client.statuses(1)).toEqual(['200']);
    expect(fixture.settled[0]?.content?.received.sha256).toBe(sha256Of('hello'));
    client.socket.destroy();
  });

  it('rejects a Content-Length above the limit before the body arrives', async () => {
    const client = (await RawClient.open(fixture.url)).send(head(100 * MEBIBYTE));

    expect(await client.statuses(1)).toEqual(['413']);
    client.socket.destroy();
  });

  it('answers the next request on the connection after a rejected one', async () => {
    const [bad, good] = [form(file(pseudoRandomBytes(MEBIBYTE)), DOCUMENT), form(DOCUMENT, file('hello'))];
    const client = await RawClient.open(fixture.url);

    client.send(head(bad.length)).send(bad).send(head(good.length)).send(good);

    expect(await client.statuses(2)).toEqual(['400', '200']);
    client.socket.destroy();
  });

  it('answers a client that never stops sending, then closes the connection', async () => {
    // Skips the time in which further bytes are discarded.
    fakeTimers('setInterval', 'clearInterval');
    const client = await RawClient.open(fixture.url);
    client.send(head('chunked')).sendChunk(form(DOCUMENT, file('x')).subarray(0, -12));
    client.sendEndlessBody();

    expect(await client.statuses(1)).toEqual(['413']);
    await waitUntil(() => {
      jest.advanceTimersByTime(1000);
      return client.socket.closed;
    });
    expect(client.socket.bytesWritten).toBeLessThan(64 * MEBIBYTE);
    expect(await fixture.fileCount()).toBe(0);
  });

  it('stores nothing if the client disconnects, at any position of the body', async () => {
    const body = form(DOCUMENT, file(pseudoRandomBytes(200_000)), [
      'Content-Disposition: form-data; name="x"',
      'x',
    ]);
    const cuts = [0, 10, 60, 130, 250, 100_000, 200_200, body.length - 5];
    for (const cut of cuts) {
      const client = (await RawClient.open(fixture.url)).send(head(body.length)).send(body.subarray(0, cut));
      if (cut > 90_000) await waitUntil(async () => (await fixture.fileCount()) > 0);
      client.socket.destroy();
      await waitUntil(() => fixture.settled.length > cuts.indexOf(cut));
    }

    expect(fixture.settled.map(({ code }) => code)).toEqual(cuts.map(() => 'request.malformed-body'));
    expect(await fixture.fileCount()).toBe(0);
    expect((await fixture.send(DOCUMENT)).status).toBe(200);
    expect(fixture.settled).toHaveLength(cuts.length + 1);
  });

  it('does not wait for a slow client when the store fails', async () => {
    await writeFile(path.join(fixture.storeFixture.directory, 'incoming'), 'in the way');
    const part = form(DOCUMENT, file('the beginning of a long file')).subarray(0, -12);

    const client = (await RawClient.open(fixture.url)).send(head(MEBIBYTE)).send(part);

    expect(await client.statuses(1)).toEqual(['503']);
    client.socket.destroy();
  });
});
