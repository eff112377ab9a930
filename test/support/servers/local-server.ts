import { once } from 'node:events';
import { type Server as HttpServer } from 'node:http';
import { type AddressInfo, type Server } from 'node:net';

/** Listens on a free port of this machine. Returns the URL. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes the server and its connections. */
export async function close(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
