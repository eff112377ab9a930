import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Measurement } from './compare.js';
import { type Verdict, spreadText } from './targets.js';

/** A Markdown table with aligned columns. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? '')].map(width)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - width(cell))).join(' | ')} |`;
  return [line(header), line(widths.map((n) => '-'.repeat(n))), ...rows.map(line)].join('\n');
}

function width(text: string): number {
  return [...text].length;
}

const TARGETS: Readonly<Record<Measurement['target'], string>> = {
  service: 'service',
  bare: 'bare node:http + pg',
  bareText: 'bare, timestamps as text',
  fastify: 'Fastify + pg',
  peer: '--peer',
  against: '--against',
};

export function measurementTable(measurements: readonly Measurement[]): string {
  return table(
    [
      'operation',
      'server',
      'requests/s',
      'ratio to bare',
      'p50 ms',
      'p99 ms',
      'p99 ratio to bare',
      'CPU µs/request',
      'RSS, MiB',
    ],
    measurements.map(({ operation, target, perSecond, ratio, p50, p99, p99Ratio, processor, memory }) => [
      operation,
      TARGETS[target],
      spreadText(perSecond, 0),
      spreadText(ratio),
      p50.toFixed(1),
      p99.toFixed(1),
      p99Ratio.median.toFixed(2),
      Number.isNaN(processor) ? '' : processor.toFixed(0),
      Number.isNaN(memory) ? '' : memory.toFixed(0),
    ]),
  );
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  return table(
    ['measure', 'target', 'median (minimum–maximum)', 'result'],
    verdicts.map(({ name, target, measured, met }) => [name, target, measured, met ? 'met' : 'MISSED']),
  );
}

export async function writeResults(file: string | undefined, results: object): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const target = path.resolve(file ?? path.join('bench', 'results', `${stamp}.json`));
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(results, null, 2)}\n`);
  return target;
}
