import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { rejectMalformedRequests } from '../../../../src/platform/http/server/malformed-requests.js';
import { waitUntil } from '../../../support/wait-until.js';
import { type RawAnswer, sendRaw } from '../../../support/raw-http.js';
import { listen } from '../../../support/servers/local-server.js';
import { service } from '../../../support/service/shared-service.js';

describe('Malformed requests', () => {
  function expectProblemDocument({ status, headers, body }: RawAnswer, expected: object): void {
    expect({ status, problem: JSON.parse(body) as object }).toMatchObject({ ...expected });
    expect(headers.toLowerCase()).toContain('content-type: application/problem+json');
    const { instance } = JSON.parse(body) as { instance: string };
    expect(headers.toLowerCase()).toContain(`x-request-id: ${instance.replace('urn:uuid:', '')}`);
  }

  it.each([
    ['no request line', 'HELLO\r\n\r\n'],
    ['a header without colon', 'GET /livez HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n'],
    [
      'two Content-Length fields',
      'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    ['no Host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['no HTTP version', 'GET /livez\r\nHost: x\r\n\r\n'],
    ['an unsupported HTTP version', 'GET /livez HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['two Host fields', 'GET /livez HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'],
    ['no Host and an unknown path', 'OPTIONS /nope HTTP/1.1\r\n\r\n'],
  ])('returns 400 for %s', async (_, bytes) => {
    expectProblemDocument(await sendRaw(service.url, bytes), {
      status: 400,
      problem: { type: '/problems/request.malformed-http', status: 400, errors: {} },
    });
  });

  it('returns 431 for header fields that are too large', async () => {
    const bytes = `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`;
    expectProblemDocument(await sendRaw(service.url, bytes), {
      status: 431,
      problem: { type: '/problems/request.headers-too-large', status: 431 },
    });
  });

  it('returns 200 without Host in HTTP/1.0, and with an unknown expectation', async () => {
    expect((await sendRaw(service.url, 'GET /livez HTTP/1.0\r\n\r\n')).status).toBe(200);
    const expecting = 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n';
    expect((await sendRaw(service.url, expecting)).status).toBe(200);
  });

  it('closes the connection if the malformed request arrives during a response', async () => {
    let begun = false;
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half of it', () => (begun = true));
    });
    rejectMalformedRequests(server, { info: () => undefined });
    try {
      const { status, body } = await sendRaw(await listen(server), [
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
        () => waitUntil(() => begun),
        'BROKEN\r\n\r\n',
      ]);
      expect({ status, body }).toEqual({ status: 200, body: 'half of it' });
    } finally {
      server.close();
    }
  });
});
