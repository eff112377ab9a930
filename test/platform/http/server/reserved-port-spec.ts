import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ReservedPort } from '../../../../src/platform/http/server/reserved-port.js';

const HOST = '127.0.0.1';

describe('ReservedPort', () => {
  /** Listens on the port and closes again. */
  const listen = async (port: number): Promise<void> => {
    const server = net.createServer();
    await once(server.listen(port, HOST), 'listening');
    server.close();
    await once(server, 'close');
  };

  it('blocks the port for other servers until it is released', async () => {
    const reserved = await ReservedPort.reserve(HOST);
    const { port } = reserved;
    expect(port).toBeGreaterThan(0);
    await expect(listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await reserved.release();
    await listen(port);
    await reserved.release();
  });

  it('reserves a given port, and fails if it is in use', async () => {
    const first = await ReservedPort.reserve(HOST);
    const { port } = first;
    await expect(ReservedPort.reserve(HOST, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.release();
    const second = await ReservedPort.reserve(HOST, port);
    expect(second.port).toBe(port);
    await second.release();
  });

  it('closes connections to the port, and releases it at once', async () => {
    const reserved = await ReservedPort.reserve(HOST);
    const early = net.connect(reserved.port, HOST).on('error', () => undefined);
    await new Promise((resolve) => early.once('close', resolve));
    await reserved.release();
  });
});
