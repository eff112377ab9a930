import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import path from 'node:path';
import { pseudoRandomBytes, sha256Of } from '../../../support/content-fixtures.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { waitUntil } from '../../../support/wait-until.js';
import { DOCUMENT, MEBIBYTE, UploadFixture, file, form } from './upload-fixture.js';

/** Everything that the server says, and whether it closed the connection. */
class Wire {
  text = '';
  closed = false;
  private constructor(readonly socket: Socket) {
    socket.on('data', (data) => (this.text += data.toString('latin1')));
    socket.on('close', () => (this.closed = true));
    socket.on('error', () => {});
  }
  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    return new Wire(socket);
  }
  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }
  async statuses(count: number): Promise<string[]> {
    const found = (): string[] => this.text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
    await waitUntil(() => found().length >= count || this.closed);
    return found();
  }
}

function head(length: number | 'chunked'): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=bound\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;
}

describe('readMultipartUpload on the wire', () => {
  const fixture = UploadFixture.forEach();
  afterEach(() => void jest.useRealTimers());

  it('takes a body that comes byte by byte', async () => {
    const body = form(DOCUMENT, file('hello'));
    const wire = await Wire.open(fixture.port);
    wire.socket.setNoDelay(true);
    wire.send(head(body.length));
    for (const byte of body) {
      wire.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(await wire.statuses(1)).toEqual(['200']);
    expect(fixture.settled[0]?.content?.received.sha256).toBe(sha256Of('hello'));
    wire.socket.destroy();
  });

  it('refuses by Content-Length alone', async () => {
    const wire = (await Wire.open(fixture.port)).send(head(100 * MEBIBYTE));

    expect(await wire.statuses(1)).toEqual(['413']);
    wire.socket.destroy();
  });

  it('goes on with the connection after a refusal', async () => {
    const [bad, good] = [form(file(pseudoRandomBytes(MEBIBYTE)), DOCUMENT), form(DOCUMENT, file('hello'))];
    const wire = await Wire.open(fixture.port);

    wire.send(head(bad.length)).send(bad).send(head(good.length)).send(good);

    expect(await wire.statuses(2)).toEqual(['400', '200']);
    wire.socket.destroy();
  });

  it('answers a client that sends without end, and then closes the connection', async () => {
    // For the time that such a client is given after the answer.
    fakeTimers('setInterval', 'clearInterval');
    const wire = await Wire.open(fixture.port);
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    const part = form(DOCUMENT, file('x')).subarray(0, -12);
    wire
      .send(head('chunked'))
      .send(`${part.length.toString(16)}\r\n`)
      .send(part)
      .send('\r\n');
    const pump = (): void => {
      while (!wire.closed && wire.socket.write(piece));
    };
    wire.socket.on('drain', pump);
    pump();

    expect(await wire.statuses(1)).toEqual(['413']);
    await waitUntil(() => {
      jest.advanceTimersByTime(1000);
      return wire.closed;
    });
    expect(wire.socket.bytesWritten).toBeLessThan(64 * MEBIBYTE);
    expect(await fixture.incoming()).toBe(0);
  });

  it('leaves nothing of a client that hangs up in the middle, wherever that is', async () => {
    const body = form(DOCUMENT, file(pseudoRandomBytes(200_000)), [
      'Content-Disposition: form-data; name="x"',
      'x',
    ]);
    const cuts = [0, 10, 60, 130, 250, 100_000, 200_200, body.length - 5];
    for (const cut of cuts) {
      const wire = (await Wire.open(fixture.port)).send(head(body.length)).send(body.subarray(0, cut));
      if (cut > 90_000) await waitUntil(async () => (await fixture.incoming()) > 0);
      wire.socket.destroy();
      await waitUntil(() => fixture.settled.length > cuts.indexOf(cut));
    }

    expect(fixture.settled.map(({ code }) => code)).toEqual(cuts.map(() => 'request.malformed-body'));
    expect(await fixture.incoming()).toBe(0);
    expect((await fixture.send(DOCUMENT)).status).toBe(200);
    expect(fixture.settled).toHaveLength(cuts.length + 1);
  });

  it('does not wait for a slow client when the store fails', async () => {
    await writeFile(path.join(fixture.storeFixture.directory, 'incoming'), 'in the way');
    const part = form(DOCUMENT, file('the beginning of a long file')).subarray(0, -12);

    const wire = (await Wire.open(fixture.port)).send(head(MEBIBYTE)).send(part);

    expect(await wire.statuses(1)).toEqual(['503']);
    wire.socket.destroy();
  });
});
