import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type BenchArguments, isSelected } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { CONNECTIONS } from './compare.js';
import { runLoad } from './load.js';
import { operations } from './operations.js';

/** The members of a V8 CPU profile that this file reads. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A share of the CPU time, between 0 and 1. */
export interface Share {
  readonly name: string;
  readonly share: number;
}

export interface Profile {
  readonly operation: string;
  readonly requests: number;
  /** CPU time per request in microseconds, without idle time. */
  readonly busy: number;
  readonly byPart: readonly Share[];
  readonly byFunction: readonly Share[];
}

/** Profiles the service: self time by module and by function. */
export async function profile(run: BenchRun, args: BenchArguments): Promise<Profile[]> {
  const selected = (await operations(run.database.ownerUrl)).filter(
    ({ name, synchronousCommit }) => !synchronousCommit && isSelected(name, args.only),
  );
  const profiles: Profile[] = [];
  for (const { name, next, status } of selected) {
    const folder = await mkdtemp(path.join(run.database.folder, 'profile-'));
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
    const service = await run.startService({ nodeOptions });
    const seconds = args.seconds * args.rounds;
    const load = {
      origin: service.origin,
      headers: run.headers(),
      connections: CONNECTIONS,
      seconds,
      next,
      status,
    };
    const { answers } = await runLoad(load);
    await service.stop();
    const [file] = await readdir(folder);
    if (file === undefined) throw new Error('The service did not write a profile');
    const text = await readFile(path.join(folder, file), 'utf8');
    profiles.push(summarise(name, answers, JSON.parse(text) as CpuProfile));
    run.log(`${name}: ${answers} requests profiled`);
  }
  return profiles;
}

const IDLE = ['(idle)', '(root)'];
const MAX_FUNCTIONS = 30;

function summarise(operation: string, requests: number, { nodes, samples, timeDeltas }: CpuProfile): Profile {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  // The first half of the samples contains start and compilation.
  for (let index = samples.length >> 1; index < samples.length; index += 1) {
    const node = byId.get(samples[index] ?? -1);
    const delta = timeDeltas[index] ?? 0;
    if (!node || IDLE.includes(node.callFrame.functionName)) continue;
    busy += delta;
    const { functionName, url, lineNumber } = node.callFrame;
    const part = partOf(functionName, url);
    add(parts, part, delta);
    add(functions, `${functionName || '(anonymous)'} (${placeOf(url, lineNumber)})`, delta);
  }
  const shares = (of: Map<string, number>) =>
    [...of]
      .map(([name, time]) => ({ name, share: time / busy }))
      .sort((one, other) => other.share - one.share);
  return {
    ...{ operation, requests, busy: busy / (requests / 2) },
    byPart: shares(parts),
    byFunction: shares(functions).slice(0, MAX_FUNCTIONS),
  };
}

function add(totals: Map<string, number>, name: string, time: number): void {
  totals.set(name, (totals.get(name) ?? 0) + time);
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
