import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Spread } from './statistics.js';

/** Results of a mode, already printed. `met` tells whether all targets were met. */
export interface Outcome {
  readonly results: object;
  readonly met: boolean;
}

export const print = (text = '') => void process.stdout.write(`${text}\n`);
export const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Prints a Markdown table with aligned columns, and an empty line. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const width = (text: string) => [...text].length;
  const widths = header.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? '')].map(width)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - width(cell))).join(' | ')} |`;
  print([line(header), line(widths.map((n) => '-'.repeat(n))), ...rows.map(line), ''].join('\n'));
}

export function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export const verdictText = (met: boolean) => (met ? 'met' : 'MISSED');

export async function writeResults(file: string | undefined, results: object): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const target = path.resolve(file ?? path.join('bench', 'results', `${stamp}.json`));
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(results, null, 2)}\n`);
  return target;
}
