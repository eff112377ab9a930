import assert from 'node:assert/strict';
import { type LoadRequest, fetchOnce } from './load.js';

interface Server {
  readonly name: string;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Checks that the servers do the same work: throws unless their answers have the same bytes. Cursors are compared
 * without their signature, which only the service can create.
 */
export async function checkSameAnswers(
  service: Server,
  peer: Server,
  requests: readonly LoadRequest[],
): Promise<void> {
  for (const request of requests) {
    const [expected, actual] = [await answerOf(service, request), await answerOf(peer, request)];
    assert.equal(
      actual,
      expected,
      `The answer of ${peer.name} to ${request.path} differs from that of the service`,
    );
  }
}

/** Without the signature: 16 bytes, and the four bits that share a base64url character with the last one. */
async function answerOf({ origin, headers }: Server, request: LoadRequest): Promise<string> {
  const response = await fetchOnce(origin, headers, request);
  return (await response.text()).replace(/("nextCursor":")[\w-]{22}/, '$1');
}
