import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Response } from 'supertest';
import { NumberingRepository } from '../../../src/resources/numbering/numbering.repository.js';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const ROUNDS = sized(6, 60);
/** Requests at the same time. */
const AT_ONCE = 12;
const PATTERNS = ['A-{yyyy}-{seq}', 'A-{yyyy}-{seq:3}', '{seq}/{yyyy}', 'B{seq:2}'];

interface File {
  readonly id: string;
  readonly number: string;
}

/** The series of a number and its place: `A-2026-007` is 7 of `A-2026-#`. */
function placeOf(number: string): { series: string; sequence: number } {
  const [, prefix = '', digits = '', suffix = ''] =
    /^(A-\d{4}-|B|)(\d+)(|\/\d{4})$/.exec(number.toUpperCase()) ?? [];
  return { series: `${prefix}#${suffix}`, sequence: Number(digits) };
}

describe('Numbers given to many callers at once', () => {
  let tenant: TestTenant;
  let callers: Actor[];
  let types: string[];
  let month = '202611';
  const given: string[] = [];
  const byHand: string[] = [];
  const files: File[] = [];
  beforeAll(async () => {
    tenant = await service.tenant();
    callers = [await tenant.as('administrator'), await tenant.as('records_manager')];
    types = [(await saveFileType(tenant)).id, (await saveFileType(tenant)).id];
    const repository = service.app.get(NumberingRepository);
    const find = repository.find.bind(repository);
    jest.spyOn(repository, 'find').mockImplementation(async (tx, id) => {
      const found = await find(tx, id);
      return found && { ...found, month };
    });
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  const any = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
  const fileOf = ({ body }: Response) => body as File;

  async function createNumbered(): Promise<void> {
    const path = `/file-types/${any(types)}/files`;
    const key = randomUUID();
    const send = () => any(callers.slice(0, 1)).post(path, { name: 'numbered' }).set('Idempotency-Key', key);
    const [first, second] = await Promise.all([send(), Math.random() < 0.3 ? send() : null]);
    expect([first.status, first.body]).toEqual([201, expect.anything()]);
    if (second) expect([second.status, fileOf(second).number]).toEqual([201, fileOf(first).number]);
    given.push(fileOf(first).number);
    files.push(fileOf(first));
  }

  async function createByHand(): Promise<void> {
    const { series, sequence } = placeOf(given.at(-1) ?? 'A-2026-1');
    const number = series.replace('#', String(sequence + Math.ceil(Math.random() * 5)));
    const response = await any(callers).post('/files', { fileTypeId: any(types), number, name: 'by hand' });
    expect([201, 409]).toContain(response.status);
    if (response.status !== 201) return;
    byHand.push(number);
    files.push(fileOf(response));
  }

  async function deleteOne(): Promise<void> {
    const [file] = files.splice(Math.floor(Math.random() * files.length), 1);
    if (file) expect((await any(callers).delete(`/files/${file.id}`)).status).toBe(204);
  }

  const setPattern = async () => {
    const path = `/file-types/${any(types)}/numbering`;
    expect((await any(callers).put(path, { pattern: any(PATTERNS) })).status).toBe(200);
  };

  it('are given once, without gaps, and never again', async () => {
    for (const type of types)
      await callers[0]?.put(`/file-types/${type}/numbering`, { pattern: PATTERNS[0] });
    for (let round = 0; round < ROUNDS; round += 1) {
      month = any(['202611', '202612', '202701']);
      const actions = [createNumbered, createNumbered, createNumbered, createByHand, deleteOne];
      await Promise.all(Array.from({ length: AT_ONCE }, () => any(actions)()));
      if (Math.random() < 0.5) await setPattern();
    }
    expect(new Set(given).size).toBe(given.length);
    const sequences = new Map<string, { given: number[]; byHand: number[] }>();
    for (const [kind, numbers] of Object.entries({ given, byHand }))
      for (const number of numbers) {
        const { series, sequence } = placeOf(number);
        const one = sequences.get(series) ?? { given: [], byHand: [] };
        one[kind as 'given' | 'byHand'].push(sequence);
        sequences.set(series, one);
      }
    for (const [series, one] of sequences) {
      expect([series, new Set(one.given).size]).toEqual([series, one.given.length]);
      const known = new Set([...one.given, ...one.byHand]);
      const first = Math.min(...one.given);
      // Each number between the first and the last is given, or was taken by hand.
      const gaps = Array.from({ length: Math.max(...one.given, 0) }, (_, n) => n + 1).filter(
        (n) => n > first && !known.has(n),
      );
      expect([series, gaps]).toEqual([series, []]);
    }
    expect(given.length).toBeGreaterThan(ROUNDS);
  });
});
