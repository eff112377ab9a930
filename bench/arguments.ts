import { parseArgs } from 'node:util';

export const HELP = `Measures the service and compares it with minimal servers (peers) on the same database. All run as separate processes.

  npm run bench                 compare each operation with the peers, in interleaved rounds (about ten minutes)
  npm run bench -- --quick      the same with few, short rounds, to check that the benchmark works
  npm run bench -- --growth     measure requests in a tenant with 10,000, 100,000 and 1,000,000 files and documents
  npm run bench -- --profile    show the CPU time of each operation by module and by function

  --only <names>      Run only the operations or growth cases whose name contains one of these comma-separated texts.
  --rounds <n>        Number of rounds (default 7).
  --seconds <s>       Duration of the load on each server in each round (default 3).
  --peer <url>        Also measure another server with the same API: the base URL of a tenant,
                      https://host/api/v1/t/<tenant>. It gets the same load, for its own files.
  --token <token>     Bearer token for --peer.
  --path <path>       With --peer: send only GET requests to this path, for a server with another API.
  --against <folder>  Also measure another build of the service on the same database: the folder of its checkout.
                      It must have the same migrations.
  --huge              With --growth: also measure 10,000,000 files.
  --data <folder>     Keep the database in this folder, and reuse the data of an earlier run.
  --json <file>       File for the results (default bench/results/<time>.json).
  --check             Exit with status 1 when a target is missed.

The benchmark starts an embedded PostgreSQL in a temporary folder. With DATABASE_URL, the URL of a superuser, it creates
a database filing_bench on that server instead. At the end, it stops what it started and removes what it created.
`;

export type Mode = 'compare' | 'growth' | 'profile';

export interface BenchArguments {
  readonly mode: Mode;
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly quick: boolean;
  readonly huge: boolean;
  readonly peer: {
    readonly url: string;
    readonly token: string | undefined;
    readonly path: string | undefined;
  } | null;
  /** Folder of another checkout with a build of the service. */
  readonly against: string | undefined;
  readonly data: string | undefined;
  readonly json: string | undefined;
  readonly check: boolean;
}

/** The parsed arguments, or undefined for `--help`. */
export function readBenchArguments(args: readonly string[]): BenchArguments | undefined {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { ...flag, short: 'h' },
      ...{ quick: flag, growth: flag, huge: flag, profile: flag, check: flag },
      ...{ only: text, rounds: text, seconds: text, data: text, json: text },
      ...{ peer: text, token: text, path: text, against: text },
    },
  });
  if (values.help) return undefined;
  const { quick, huge, check, data, json, peer, token, path, against } = values;
  const mode = (['growth', 'profile'] as const).find((name) => values[name]) ?? 'compare';
  return {
    ...{ mode, quick, huge, check, data, json, against },
    only: values.only?.split(',') ?? [],
    rounds: positive('--rounds', values.rounds, quick ? 3 : 7),
    seconds: positive('--seconds', values.seconds, quick ? 1 : 3),
    peer: peer === undefined ? null : { url: peer.replace(/\/$/, ''), token, path },
  };
}

export function isSelected(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((part) => name.toLowerCase().includes(part.toLowerCase()));
}

function positive(name: string, value: string | undefined, fallback: number): number {
  const number = value === undefined ? fallback : Number(value);
  if (!(number > 0)) throw new Error(`${name} must be a number greater than 0`);
  return number;
}
