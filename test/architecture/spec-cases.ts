import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getState, resetState } from 'jest-circus';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The titles of a case, from the outermost describe on. */
export type Case = readonly string[];

type Block = ReturnType<typeof getState>['rootDescribeBlock'];

/**
 * The cases of spec files, by file. The files are loaded as modules, so that cases defined by helpers are included. No case
 * is run.
 *
 * @param files paths from the root folder
 */
export async function specCases(files: readonly string[]): Promise<Record<string, Case[]>> {
  const cases: Record<string, Case[]> = {};
  for (const file of files) {
    resetState();
    // The runner loads a file again to run its cases.
    await import(`${pathToFileURL(path.join(ROOT, file)).href}?cases`);
    cases[file] = casesIn(getState().rootDescribeBlock);
  }
  resetState();
  return cases;
}

function casesIn(block: Block, titles: Case = []): Case[] {
  return block.children.flatMap((child) =>
    child.type === 'test' ? [[...titles, child.name]] : casesIn(child, [...titles, child.name]),
  );
}
