import { once } from 'node:events';
import { type AddressInfo, type Server } from 'node:net';

/** Starts the server on a free loopback port. Returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
