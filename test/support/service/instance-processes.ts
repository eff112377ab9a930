import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { waitFor } from '../wait-until.js';
import { type ServiceProcess } from './service-process.js';

interface LogLine {
  readonly msg: string;
  readonly instance?: number;
  readonly requestId?: string;
  readonly operation?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request on a new connection, or on the one of the agent. */
export async function get(
  url: string,
  headers: Record<string, string> = {},
  agent: http.Agent | false = false,
): Promise<Answer> {
  const request = http.get(url, { headers, agent });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Sends one request after another on one connection, and continues on a new one when it fails. */
export class LoadClient {
  answers = 0;
  failures = 0;
  firstId = '';
  private stopped = false;
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const { status, headers } = await get(this.url, this.headers, this.agent);
        if (status !== 200) throw new Error(String(status));
        this.answers += 1;
        this.firstId ||= String(headers['x-request-id']);
      } catch {
        this.failures += 1;
      }
    }
    this.agent.destroy();
  }

  stop(): void {
    this.stopped = true;
  }
}

/** Whether nothing listens on the port. */
export async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
}

function linesOf({ output }: ServiceProcess): LogLine[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{') || !line.endsWith('}')) return [];
    return [JSON.parse(line) as LogLine];
  });
}

export function instancesOf(service: ServiceProcess, operation: string): Set<number | undefined> {
  const lines = linesOf(service).filter((line) => line.operation === operation);
  return new Set(lines.map(({ instance }) => instance));
}

/** Number of the process that has answered the request. */
export function processOf(service: ServiceProcess, id: string): number | undefined {
  return linesOf(service).find(({ requestId }) => requestId === id)?.instance;
}

export async function metricsOf(service: ServiceProcess): Promise<string> {
  const [, url = ''] = await waitFor(() => /Metrics\s+(http:\S+)/.exec(service.output) ?? undefined);
  return (await get(url)).text;
}

export function childrenOf(pid: number): number[] {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  } catch {
    // The process has ended.
  }
  return text
    .split(' ')
    .map(Number)
    .filter((child) => commandOf(child).includes('instance.js'));
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** False also for a zombie, which has ended. */
export function isRunning(pid: number): boolean {
  return commandOf(pid) !== '';
}
