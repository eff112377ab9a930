import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type BenchArguments, isSelected } from './arguments.js';
import { CONNECTIONS } from './compare.js';
import { type BenchEnvironment, UNLIMITED_REQUESTS } from './environment.js';
import { runLoad } from './load.js';
import { OPERATIONS } from './operations.js';
import { type Outcome, print, printTable } from './report.js';
import { SEPARATE_MODULES } from './server-process.js';

/** The members of a V8 CPU profile that this file reads. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A share of the CPU time, between 0 and 1. */
interface Share {
  readonly name: string;
  readonly share: number;
}

interface Profile {
  readonly operation: string;
  readonly requests: number;
  /** CPU time per request in microseconds, without idle time. */
  readonly busy: number;
  readonly byPart: readonly Share[];
  readonly byFunction: readonly Share[];
}

/** Profiles the service: self time by module and by function. */
export async function profile(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  const profiles: Profile[] = [];
  for (const { name, next, status, synchronousCommit } of OPERATIONS) {
    if (synchronousCommit || !isSelected(name, args.only)) continue;
    const folder = await mkdtemp(path.join(bench.database.folder, 'profile-'));
    const service = await bench.startService({
      environment: UNLIMITED_REQUESTS,
      file: SEPARATE_MODULES,
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'],
    });
    const seconds = args.seconds * args.rounds;
    const headers = await bench.headersOf('admin');
    const { answers } = await runLoad({
      origin: service.origin,
      connections: CONNECTIONS,
      headers,
      seconds,
      next,
      status,
    });
    await service.stop();
    const [file] = await readdir(folder);
    if (file === undefined) throw new Error('The service did not write a profile');
    const text = await readFile(path.join(folder, file), 'utf8');
    const one = summarise(name, answers, JSON.parse(text) as CpuProfile);
    profiles.push(one);
    print(`${name}: ${one.busy.toFixed(0)} µs of CPU time per request`);
    print();
    for (const [title, shares] of Object.entries({ module: one.byPart, function: one.byFunction }))
      printTable(
        [title, 'self time'],
        shares.map(({ name, share }) => [name, `${(share * 100).toFixed(1)} %`]),
      );
  }
  return { results: { profiles }, met: true };
}

const IDLE = ['(idle)', '(root)'];
const MAX_PARTS = 16;
const MAX_FUNCTIONS = 30;

function summarise(operation: string, requests: number, { nodes, samples, timeDeltas }: CpuProfile): Profile {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (times: Map<string, number>, name: string, time: number) =>
    times.set(name, (times.get(name) ?? 0) + time);
  let busy = 0;
  // The first half of the samples contains start and compilation.
  for (let index = samples.length >> 1; index < samples.length; index += 1) {
    const frame = byId.get(samples[index] ?? -1);
    const delta = timeDeltas[index] ?? 0;
    if (!frame || IDLE.includes(frame.functionName)) continue;
    busy += delta;
    const { functionName, url, lineNumber } = frame;
    add(parts, partOf(functionName, url), delta);
    add(functions, `${functionName || '(anonymous)'} (${placeOf(url, lineNumber)})`, delta);
  }
  const shares = (times: Map<string, number>, max: number) =>
    [...times]
      .map(([name, time]) => ({ name, share: time / busy }))
      .sort((one, other) => other.share - one.share)
      .slice(0, max);
  return {
    ...{ operation, requests, busy: busy / (requests / 2) },
    byPart: shares(parts, MAX_PARTS),
    byFunction: shares(functions, MAX_FUNCTIONS),
  };
}

/** The package, the folder of the service, or the module of Node that a function belongs to. */
function partOf(functionName: string, url: string): string {
  if (functionName === '(garbage collector)') return 'garbage collector';
  const module = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (module) return module;
  const folder = /\/dist\/(src\/[^/]+)/.exec(url)?.[1];
  if (folder) return folder;
  if (url.startsWith('node:')) return url.replace(/^node:(internal\/)?/, 'node:').split('/')[0] ?? 'node';
  return functionName === '(program)' ? 'native code' : 'V8 and built-ins';
}

function placeOf(url: string, line: number): string {
  if (url === '') return 'native';
  return `${url.replace(/^.*\/(node_modules|dist)\//, '')}:${line + 1}`;
}
