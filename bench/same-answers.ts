import { type BenchRun } from './bench-run.js';
import { type ServerProcess } from './server-process.js';

export interface ComparedPeer {
  readonly name: string;
  readonly server: ServerProcess;
  /** Whether the peer implements the operation. */
  readonly answers: (operation: string) => boolean;
}

/**
 * Checks that the peers do the same work: throws unless their answers have the same bytes as those of the service. Cursors
 * are compared without their signature, which only the service can create. Returns the number of compared answers.
 */
export async function checkSameAnswers(
  run: BenchRun,
  service: ServerProcess,
  peers: readonly ComparedPeer[],
): Promise<number> {
  let compared = 0;
  for (const { operation, path, method, body } of await run.sampleReads()) {
    const answerOf = async (origin: string): Promise<string> => {
      const response = await fetch(origin + path, {
        method,
        headers: { ...run.headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body ?? null,
      });
      return withoutSignature(await response.text());
    };
    const expected = await answerOf(service.origin);
    for (const { name, server, answers } of peers) {
      if (!answers(operation)) continue;
      const actual = await answerOf(server.origin);
      if (actual !== expected) {
        throw new Error(
          `${operation}: the answer of ${name} differs from that of the service: ${difference(actual, expected)}`,
        );
      }
      compared += 1;
    }
  }
  return compared;
}

/** Removes the signature: 16 bytes, and the four bits that share a base64url character with the last one. */
function withoutSignature(text: string): string {
  return text.replace(/("nextCursor":")[\w-]{22}/, '$1');
}

function difference(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `… ${around(actual)} … instead of … ${around(expected)} …`;
}
