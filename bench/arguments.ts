import { parseArgs } from 'node:util';

export const HELP = `Measures the service, as a process of its own, against bare loops on the same database.

  npm run bench                 the operations against their peers, in interleaved rounds (some ten minutes)
  npm run bench -- --quick      the same with few and short rounds, to see that it runs
  npm run bench -- --growth     what requests cost in a tenant of 10,000, 100,000 and 1,000,000 files and documents
  npm run bench -- --instances  two processes on one database
  npm run bench -- --profile    where the processor's time goes, operation by operation

  --only <names>   Some of the operations or growth cases: all whose name contains one of these, comma-separated.
  --rounds <n>     Rounds (7); --seconds <s> is how long each lasts for each peer (3).
  --peer <url>     One more peer: the base URL of a tenant of any server that speaks the same interface,
                   https://host/api/v1/t/<tenant>; with --token <bearer token>. It is sent the same load, for its own
                   files. --path <path> sends only GETs of this path, to a server that speaks another.
  --against <folder>  Another build of the service, on the same database: the folder of its checkout. It must know the
                   same migrations.
  --huge           With --growth: 10,000,000 files, too.
  --data <folder>  Keeps the database in this folder, and uses what a former run has left there.
  --json <file>    Where the results go as JSON; bench/results/<time>.json by default.
  --check          Ends with 1 when a target is missed.

An embedded PostgreSQL in a temporary folder is started, or DATABASE_URL is used: the URL of a superuser, on whose
server a database filing_bench is made. Whatever is started is stopped, whatever is made is removed.
`;

export type Mode = 'compare' | 'growth' | 'instances' | 'profile';

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
  /** Folder of another build. */
  readonly against: string | undefined;
  readonly data: string | undefined;
  readonly json: string | undefined;
  readonly check: boolean;
}

/** Undefined when help is asked for. */
export function readBenchArguments(args: readonly string[]): BenchArguments | undefined {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { ...flag, short: 'h' },
      ...{ quick: flag, growth: flag, huge: flag, instances: flag, profile: flag, check: flag },
      ...{ only: text, rounds: text, seconds: text, data: text, json: text },
      ...{ peer: text, token: text, path: text, against: text },
    },
  });
  if (values.help) return undefined;
  const { quick, huge, check, data, json, peer, token, path, against } = values;
  const mode = (['growth', 'instances', 'profile'] as const).find((name) => values[name]) ?? 'compare';
  return {
    ...{ mode, quick, huge, check, data, json, against },
    only: values.only?.split(',') ?? [],
    rounds: positive('--rounds', values.rounds, quick ? 3 : 7),
    seconds: positive('--seconds', values.seconds, quick ? 1 : 3),
    peer: peer === undefined ? null : { url: peer.replace(/\/$/, ''), token, path },
  };
}

/** Whether a name is among those asked for with `--only`. */
export function isSelected(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((part) => name.toLowerCase().includes(part.toLowerCase()));
}

function positive(name: string, value: string | undefined, fallback: number): number {
  const number = value === undefined ? fallback : Number(value);
  if (!(number > 0)) throw new Error(`${name} takes a number above 0`);
  return number;
}
