import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

interface Work {
  /** Base URL of the tenant. */
  readonly base: string;
  readonly token: string;
}

export interface UserMeasurement {
  /** Response times in milliseconds. */
  readonly latencies: number[];
  readonly statuses: Map<number, number>;
}

/** Keep-alive connections, as in a browser or proxy: requests do not wait for new connections. */
const CONNECTIONS = 6;

/** Sends eight requests per second, below the default rate limit, without waiting for answers. */
async function useService({ base, token }: Work, seconds: number): Promise<UserMeasurement> {
  const measurement: UserMeasurement = { latencies: [], statuses: new Map() };
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
  // Open all connections before the measurement.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send('GET', '/me'))).catch(() => undefined);
  const pending: Promise<void>[] = [];
  for (let n = 0; n < seconds * 8; n += 1) {
    const began = performance.now();
    const answer = (requests[n % requests.length] as (n: number) => Promise<number>)(n);
    pending.push(
      answer
        .catch(() => 0)
        .then((status) => {
          measurement.latencies.push(performance.now() - began);
          measurement.statuses.set(status, (measurement.statuses.get(status) ?? 0) + 1);
        }),
    );
    await sleep(125);
  }
  await Promise.all(pending);
  agent.destroy();
  return measurement;
}

// Each message is a number of seconds, and gets one measurement.
parentPort?.on('message', (seconds: number) => {
  void useService(workerData as Work, seconds).then((measurement) => parentPort?.postMessage(measurement));
});
