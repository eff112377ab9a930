import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
import { BadInputFixture, TIMEOUT_MS } from './support/bad-input-fixture.js';
import {
  type Expected,
  type InputCase,
  BadInputRunner,
  responseFailures,
} from './support/bad-input-runner.js';
import {
  BROKEN_BODY_PROBLEMS,
  malformedMessages,
  requestBytes,
  manyHeaders,
} from './support/malformed-messages.js';
import { type DescribedOperation, describedOperations } from './support/described-operations.js';
import { words } from './support/bad-values.js';
import { exchangeBytes } from './support/raw-exchange.js';
import { RECORDED_READS, everyNth, isLimitedPerCaller } from '../support/case-selection.js';
import { mapConcurrently } from '../support/conformance-client.js';

/** `npm test` sends every fifth value to each operation, starting at another one each time. */
const STEP = 5;

const xs = (length: number) => 'x'.repeat(length);

describe('Bad HTTP messages', () => {
  let runner: BadInputRunner;
  let fixture: BadInputFixture;
  let operations: DescribedOperation[];
  let privateOperations: DescribedOperation[];
  beforeAll(async () => {
    operations = describedOperations(service.app.get(OpenApiDocument).document);
    privateOperations = operations.filter(({ isPublic }) => !isPublic);
    fixture = await BadInputFixture.create(service);
    runner = new BadInputRunner(service);
  });
  afterAll(() => {
    runner.stop();
  });

  /** A valid request with changed header fields. */
  function caseOf(
    operation: DescribedOperation,
    kind: string,
    headers: Readonly<Record<string, string>>,
    expected: Expected,
    target = fixture.target(operation),
  ): InputCase {
    const { id, method } = operation;
    const valid = fixture.request(operation);
    const what = JSON.stringify(headers).slice(0, 60);
    const all = { ...valid.headers, ...headers };
    return { ...valid, kind, operation: id, what, method, target, headers: all, expected };
  }

  const expectNothingWritten = (cases: readonly InputCase[]) =>
    runner.expectNothingWritten(fixture.tenant, cases);

  describe('with bad header fields', () => {
    it(
      'return 406 when Accept matches no available media type',
      async () => {
        const ranges = [
          ...words('text/html application/xml audio/* application/problem+json application/json;q=0'),
          ...['video/mp4, audio/ogg', 'application/json; q=0.000', ...words('json * x / , ; NaN/NaN')],
        ];
        const pages = new Set(
          service.app
            .get(RouteTable)
            .routes.flatMap(({ endpoint }) => (endpoint?.page ? [endpoint.operation] : [])),
        );
        const cases = privateOperations
          .filter(({ statuses }) => statuses.includes(406))
          .flatMap((operation, turn) =>
            everyNth(ranges, turn, STEP)
              .filter((Accept) => !(pages.has(operation.id) && Accept === 'text/html'))
              .map((Accept) =>
                caseOf(operation, 'Accept', { Accept }, { refused: 'request.not-acceptable' }),
              ),
          );
        expect(cases.length).toBeGreaterThan(sized(200, 1000));
        await expectNothingWritten(cases);
      },
      TIMEOUT_MS,
    );

    it(
      'return 412 when If-Match does not contain the current entity tag',
      async () => {
        const tags = ['"a", "b"', ...words(`"stale" W/"stale" stale "" " W/ , '*' ** "*" null 0`)];
        const cases = privateOperations
          .filter(({ headers }) => headers.includes('If-Match'))
          .flatMap((operation, turn) =>
            everyNth(tags, turn, STEP).map((tag) =>
              caseOf(operation, 'If-Match', { 'If-Match': tag }, { refused: 'request.precondition-failed' }),
            ),
          );
        expect(cases.length).toBeGreaterThan(sized(40, 200));
        await expectNothingWritten(cases);
      },
      TIMEOUT_MS,
    );

    it(
      'return 400 for an invalid Idempotency-Key',
      async () => {
        const keys = ['', 'a b', 'a\tb', 'ä', '\u00a0', 'a, b', 'a\u00ffb', ...[256, 10_000].map(xs)];
        const cases = privateOperations
          .filter(({ headers }) => headers.includes('Idempotency-Key'))
          .flatMap((operation, turn) =>
            everyNth(keys, turn, STEP).map((key) =>
              caseOf(
                operation,
                'Idempotency-Key',
                { 'Idempotency-Key': key },
                { refused: 'request.invalid', at: 'Idempotency-Key' },
              ),
            ),
          );
        expect(cases.length).toBeGreaterThan(sized(15, 90));
        await expectNothingWritten(cases);
      },
      TIMEOUT_MS,
    );

    it('return 416 for a range outside of the content, and 400 for a partial upload', async () => {
      const ranges = words(`bytes=6- bytes=6-7 bytes=-0 bytes=999999999999- bytes=${'9'.repeat(300)}-`);
      const streams = privateOperations.filter(({ headers }) => headers.includes('Range'));
      const contents = privateOperations.filter(({ id }) => id === 'ReplaceDocumentContent');
      expect([streams.length, contents.length]).toEqual([3, 1]);
      await expectNothingWritten([
        ...streams.flatMap((operation) =>
          ranges.map((Range) =>
            caseOf(
              operation,
              'Range',
              { Range },
              { refused: 'content.range-not-satisfiable' },
              // The second version has six bytes, as the ranges assume.
              fixture.target(operation, { number: '2' }),
            ),
          ),
        ),
        ...contents.flatMap((operation) =>
          ['bytes 0-4/10', 'bytes */10', 'x', '', 'bytes 0-14/15'].map((range) =>
            caseOf(
              operation,
              'Content-Range',
              { 'Content-Range': range },
              { refused: 'request.invalid', at: 'Content-Range' },
            ),
          ),
        ),
      ]);
    });

    it(
      'return 431 for too large header fields or a too long path, in every operation',
      async () => {
        const big = 'x'.repeat(20_000);
        const refused = { refused: 'request.headers-too-large' as const };
        const all = (operation: DescribedOperation) => [
          caseOf(operation, 'large header', { 'X-Large': big }, refused),
          caseOf(operation, 'large header', { Cookie: `a=${big}` }, refused),
          caseOf(operation, 'large header', Object.fromEntries(manyHeaders()), refused),
          caseOf(operation, 'large path', {}, refused, fixture.target(operation, {}, big)),
        ];
        const cases = operations.flatMap((operation, turn) => everyNth(all(operation), turn, STEP));
        const before = await fixture.tenant.fingerprint();
        const failures = await mapConcurrently(cases, async (one) =>
          responseFailures(one, await exchangeBytes(service.url, requestBytes(one))).map(
            (failure) => `${one.operation}: ${failure}`,
          ),
        );
        expect(failures.flat()).toEqual([]);
        expect(await fixture.tenant.fingerprint()).toEqual(before);
      },
      TIMEOUT_MS,
    );
  });

  describe('with a body for an operation that takes none', () => {
    it(
      'are accepted, and the body is ignored',
      async () => {
        const bodies: [string, string | Buffer][] = [
          ['application/json', '{"broken'],
          ['application/json', ''],
          ['application/json', `${'['.repeat(3000)}`],
          ['application/json', Buffer.from([0xff, 0xfe, 0x00])],
          ['text/plain; charset=utf-7', '\u0000'],
          ['application/x-www-form-urlencoded', 'a=1&a=2&__proto__[polluted]=yes'],
          ['multipart/form-data', 'no boundary'],
          ['multipart/form-data; boundary=x', '--x\r\nbroken'],
          ['x', 'x'.repeat(2 * 1024 * 1024)],
        ];
        const cases = privateOperations
          .filter(({ mediaTypes, id }) => mediaTypes.length === 0 && id !== 'MarkAllNotificationsRead')
          .filter(({ id }) => !isLimitedPerCaller(id))
          .flatMap((operation, turn) => {
            const isReading = operation.method === 'GET' && !RECORDED_READS.has(operation.id);
            const nothing = Object.fromEntries(
              operation.pathParameters
                .filter((name) => name !== 'tenant')
                .map((name) => [name, randomUUID()]),
            );
            const target = fixture.target(operation, isReading ? {} : nothing);
            return everyNth(bodies, turn, STEP).map(([type, body]) => ({
              ...caseOf(
                operation,
                'unexpected body',
                { 'Content-Type': type },
                isReading ? { accepted: [200] } : { refused: 'resource.not-found' },
                target,
              ),
              body,
            }));
          });
        expect(cases.length).toBeGreaterThan(sized(80, 400));
        await expectNothingWritten(cases);
      },
      TIMEOUT_MS,
    );
  });

  describe('with malformed HTTP', () => {
    it.each(['RenameFile', 'CreateTag', 'ReplaceDocumentContent'])(
      'return a problem document: %s',
      async (id) => {
        const operation = operations.find((candidate) => candidate.id === id) as DescribedOperation;
        const cases = malformedMessages(caseOf(operation, 'malformed HTTP', {}, { refused: [] }));
        const before = await fixture.tenant.fingerprint();
        const failures = await mapConcurrently(cases, async ([what, bytes, codes]) => {
          const one = caseOf(operation, 'malformed HTTP', {}, { refused: codes });
          const answer = await exchangeBytes(service.url, bytes, codes === BROKEN_BODY_PROBLEMS);
          return responseFailures(one, answer).map(
            (failure) => `${what}: ${failure}, but ${answer.status} ${answer.text}`,
          );
        });
        expect(failures.flat()).toEqual([]);
        expect(await fixture.tenant.fingerprint()).toEqual(before);
      },
      TIMEOUT_MS,
    );
  });
});
