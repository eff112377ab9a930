import { type BenchRun } from './bench-run.js';
import { type ServerProcess } from './server-process.js';

export interface ComparedPeer {
  readonly name: string;
  readonly server: ServerProcess;
  /** Operations that it answers. */
  readonly answers: (operation: string) => boolean;
}

/**
 * Whether the peers do the same work: their answers must be the service's, byte for byte. Of a cursor only the position
 * is compared; its signature, as long with all of them, is the service's alone.
 */
export async function checkSameAnswers(
  run: BenchRun,
  service: ServerProcess,
  peers: readonly ComparedPeer[],
): Promise<number> {
  let compared = 0;
  for (const { operation, path, method, body } of await run.sampleReads()) {
    const ask = async (origin: string): Promise<string> => {
      const response = await fetch(origin + path, {
        method,
        headers: { ...run.headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body ?? null,
      });
      return withoutSignature(await response.text());
    };
    const expected = await ask(service.origin);
    for (const { name, server, answers } of peers) {
      if (!answers(operation)) continue;
      const actual = await ask(server.origin);
      if (actual !== expected) {
        throw new Error(
          `${operation}: ${name} answers otherwise than the service: ${difference(actual, expected)}`,
        );
      }
      compared += 1;
    }
  }
  return compared;
}

/** The first 16 bytes of a cursor, and the four bits behind them that share a character with the last. */
function withoutSignature(text: string): string {
  return text.replace(/("nextCursor":")[\w-]{22}/, '$1');
}

function difference(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `… ${around(actual)} … instead of … ${around(expected)} …`;
}
