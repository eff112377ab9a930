import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { HeldPort } from '../../../../src/platform/http/server/held-port.js';

const HOST = '127.0.0.1';

describe('A free port that is held', () => {
  /** Listens there, for a moment. */
  const listen = async (port: number): Promise<void> => {
    const server = net.createServer();
    await once(server.listen(port, HOST), 'listening');
    server.close();
    await once(server, 'close');
  };

  it('is nobody else’s until it is let go of', async () => {
    const held = await HeldPort.choose(HOST);
    const { port } = held;
    expect(port).toBeGreaterThan(0);
    await expect(listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await held.letGo();
    await listen(port);
    await held.letGo();
  });

  it('is one that was asked for, unless it is in use', async () => {
    const first = await HeldPort.choose(HOST);
    const { port } = first;
    await expect(HeldPort.choose(HOST, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.letGo();
    const second = await HeldPort.choose(HOST, port);
    expect(second.port).toBe(port);
    await second.letGo();
  });

  it('sends away who comes too early, and is let go of at once all the same', async () => {
    const held = await HeldPort.choose(HOST);
    const early = net.connect(held.port, HOST).on('error', () => undefined);
    await new Promise((resolve) => early.once('close', resolve));
    await held.letGo();
  });
});
