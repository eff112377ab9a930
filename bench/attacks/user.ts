import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

interface Work {
  /** URL of the tenant. */
  readonly base: string;
  readonly token: string;
  readonly seconds: number;
}

export interface Served {
  /** In milliseconds. */
  readonly latencies: number[];
  readonly statuses: Map<number, number>;
}

/** As a browser or a proxy has them: kept open, so that requests do not wait for new ones to be accepted. */
const CONNECTIONS = 6;

/** Eight requests a second, below the default rate limit, whether they are answered or not. */
async function useService({ base, token, seconds }: Work): Promise<Served> {
  const served: Served = { latencies: [], statuses: new Map() };
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method: string, resource: string, body?: object): Promise<number> => {
    const sent = request(`${base}${resource}`, { method, headers, agent });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode ?? 0;
  };
  const requests = [
    () => send('GET', '/files?limit=50'),
    () => send('GET', '/documents?limit=50'),
    (n: number) => send('POST', '/documents', { title: `Letter ${n}` }),
  ];
  // All connections are open before anything is measured.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send('GET', '/me'))).catch(() => undefined);
  const pending: Promise<void>[] = [];
  for (let n = 0; n < seconds * 8; n += 1) {
    const begun = performance.now();
    const asked = (requests[n % requests.length] as (n: number) => Promise<number>)(n);
    pending.push(
      asked
        .catch(() => 0)
        .then((status) => {
          served.latencies.push(performance.now() - begun);
          served.statuses.set(status, (served.statuses.get(status) ?? 0) + 1);
        }),
    );
    await sleep(125);
  }
  await Promise.all(pending);
  agent.destroy();
  return served;
}

parentPort?.postMessage(await useService(workerData as Work));
