import { parseArgs } from 'node:util';

export const HELP = `Measures the built service. Servers are separate processes.

  npm run bench                 compare each operation with minimal servers (peers) on the same database, in interleaved rounds
  npm run bench -- --growth     measure requests in a tenant with 10,000, 100,000 and 1,000,000 files and documents
  npm run bench -- --profile    show the CPU time of each operation by module and by function
  npm run bench:memory          measure the memory during uploads and downloads of large contents, on disk and in a bucket
  npm run bench:exports         measure the memory, and requests of another tenant, while an export is packed
  npm run bench:documentation   measure how long Swagger UI takes in Chromium (CHROMIUM_PATH)
  npm run bench:attacks         run all attacks from one tenant at once, and measure requests of another tenant

For all:
  --quick             Few, short rounds, to check that the benchmark works.
  --json <file>       File for the results (default bench/results/<time>.json).

For the comparison, --growth, --profile and attacks:
  --only <names>      Only the operations, cases or attacks whose name contains one of these comma-separated texts.
  --seconds <s>       Duration of the load on each server in each round (default 3), or of each phase of attacks (30).

For the comparison, --growth and --profile:
  --rounds <n>        Number of rounds (default 7; also for documentation, and for memory, default 9).
  --peer <url>        Also measure another server with the same API: the base URL of a tenant,
                      https://host/api/v1/t/<tenant>. It gets the same load, for its own files.
  --token <token>     Bearer token for --peer.
  --against <folder>  Also measure another build of the service on the same database: the folder of its checkout.
                      It must have the same migrations.
  --huge              With --growth: also measure 10,000,000 files.
  --data <folder>     Keep the database in this folder, and reuse the data of an earlier run.
  --check             Exit with status 1 when a target is missed. bench:memory always does.

For attacks:
  --each              Also measure each attack alone.

For memory:
  --parallel <n>      Number of parallel uploads and downloads (default 4).
  --mebibytes <n>     Size of each content in MiB (default 100).
  --store <name>      disk or s3, the S3 server of the tests in the process of the benchmark (default both).

For exports:
  --documents <n>     Number of documents (default 10,000).
  --bytes <n>         Size of the content of each (default 20,000).
  --out <file>        Keep the package.

The benchmark starts an embedded PostgreSQL in a temporary folder. With DATABASE_URL, the URL of a superuser, it creates
a database filing_bench on that server instead. At the end, it stops what it started and removes what it created.
With CONVERTER=libreoffice, attacks include previews of Office files.
`;

const MODES = ['growth', 'profile', 'memory', 'exports', 'attacks', 'documentation'] as const;

export type Mode = 'compare' | (typeof MODES)[number];
export type BenchArguments = NonNullable<ReturnType<typeof readBenchArguments>>;

/** The parsed arguments, or undefined for `--help`. */
export function readBenchArguments(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      help: { ...flag, short: 'h' },
      ...{ growth: flag, profile: flag, memory: flag, exports: flag, attacks: flag, documentation: flag },
      ...{ quick: flag, huge: flag, check: flag, each: flag },
      ...{ only: text, rounds: text, seconds: text, data: text, json: text },
      ...{ peer: text, token: text, against: text },
      ...{ parallel: text, mebibytes: text, store: text, documents: text, bytes: text, out: text },
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  const mode: Mode = MODES.find((name) => values[name]) ?? 'compare';
  const number = (
    name: 'rounds' | 'seconds' | 'parallel' | 'mebibytes' | 'documents' | 'bytes',
    normal: number,
  ) => {
    const value = Number(values[name] ?? normal);
    if (!(value > 0)) throw new Error(`--${name} must be a number greater than 0`);
    return value;
  };
  return {
    ...values,
    mode,
    check: values.check || mode === 'memory',
    only: values.only?.split(',') ?? [],
    rounds: number('rounds', quick ? 3 : mode === 'memory' ? 9 : 7),
    seconds: number('seconds', quick ? 1 : mode === 'attacks' ? 30 : 3),
    parallel: number('parallel', 4),
    mebibytes: number('mebibytes', quick ? 10 : 100),
    documents: number('documents', quick ? 100 : 10_000),
    bytes: number('bytes', 20_000),
  };
}

export function isSelected(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((part) => name.toLowerCase().includes(part.toLowerCase()));
}
