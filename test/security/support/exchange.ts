import http from 'node:http';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

const TIMEOUT_MS = 120_000;

/** Sends a request over the connections of the agent. Its path and header fields are sent as they are. */
export function exchange(
  url: string,
  agent: http.Agent,
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders,
  body: string | Buffer | undefined,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, path, headers, agent, timeout: TIMEOUT_MS }, (response) => {
      const parts: Buffer[] = [];
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        // A stream is never complete. What comes first is enough.
        if (isStream) response.destroy();
      });
      response.on('error', reject);
      response.on(isStream ? 'close' : 'end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
    request.end(body);
  });
}

/** The parsed body of a response; undefined if it is not JSON. */
export function jsonOf({ headers, text }: RawResponse): unknown {
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '');
  return isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined;
}
