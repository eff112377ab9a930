import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { OtlpReceiver } from '../../support/servers/otlp-receiver.js';
import { waitUntilProcessed } from '../../support/wait-until-processed.js';
import { sendRaw } from '../../support/raw-http.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Fields in the first column of the table below "## Log" in docs/observability.md. */
async function documentedFields(): Promise<string[]> {
  const text = await readFile(path.join(ROOT, 'docs/observability.md'), 'utf8');
  const [, log = ''] = text.split('\n## Log\n');
  const cells = [...log.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** Names of fields that are passed to the log in the source code, with a file that uses them. */
async function fieldsInTheSources(): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  const folder = path.join(ROOT, 'src');
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const source = await readFile(path.join(folder, name), 'utf8');
    for (const field of fieldsIn(source)) fields.set(field, name);
  }
  return fields;
}

function fieldsIn(source: string): string[] {
  const fields: string[] = [];
  // Skips parsing, which is slow, for the many sources without logging.
  if (!/\blog\b/.test(source)) return fields;
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  /** Collects the members of an object, including objects that are spread into it, also conditionally. */
  const collect = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      for (const member of node.properties) {
        if (ts.isSpreadAssignment(member)) collect(member.expression);
        else if (member.name) fields.push(member.name.getText(file));
      }
    } else if (ts.isParenthesizedExpression(node)) collect(node.expression);
    else if (ts.isBinaryExpression(node)) collect(node.right);
  };
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      /\blog(\.(debug|info|warn|error|lastingError)|\[.*\])$/.test(node.expression.getText(file))
    ) {
      const [first] = node.arguments;
      if (first) collect(first);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return fields;
}

describe('Log fields', () => {
  const written: string[] = [];
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  let receiver: OtlpReceiver;
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    service = await TestService.start(
      { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, LOG_LEVEL: 'debug', LOG_FORMAT: 'json' },
      undefined,
      written,
    );
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** Sends successful, rejected, failing and malformed requests, and creates a document with its job. */
  async function provoke(): Promise<void> {
    const type = await admin.post('/file-types', { key: 'logged', nameDe: 'x', nameEn: 'x' });
    const { id: fileTypeId } = type.body as { id: string };
    await admin.get('/files?limit=-1').expect(400);
    await admin.withToken(null).get('/files').expect(401);
    await fetch(`${service.url}/nowhere`);
    await sendRaw(service.url, 'HELLO\r\n\r\n');
    await service.query(`ALTER TABLE files ADD CONSTRAINT ck_logged CHECK (name <> 'x')`);
    await admin.post('/files', { fileTypeId, number: '1', name: 'x' }).expect(500);
    await service.query('ALTER TABLE files DROP CONSTRAINT ck_logged');
    const content = { bytes: 'x', fileName: 'x.txt', mediaType: 'text/plain' };
    const uploaded = await upload(admin, { title: 'x' }, content).expect(201);
    await waitUntilProcessed(tenant, (uploaded.body as { id: string }).id);
    await receiver.waitForSpan(() => lines().some(({ msg }) => msg === 'job done'), 'The line of the job');
  }

  it('are documented if they occur in the source code', async () => {
    const fields = await fieldsInTheSources();
    expect([...fields.keys()]).toEqual(expect.arrayContaining(['requestId', 'aborted', 'task', 'err']));
    const documented = await documentedFields();
    const missing = [...fields].filter(([field]) => !documented.includes(field));
    expect(missing).toEqual([]);
  });

  it('are documented if a service writes them, and documented ones are written', async () => {
    await provoke();
    const documented = await documentedFields();
    const found = new Set(lines().flatMap((line) => Object.keys(line)));
    expect([...found].filter((field) => !documented.includes(field))).toEqual([]);
    expect([...found]).toEqual(
      expect.arrayContaining(['documentId', 'version', 'err', 'trace_id', 'context']),
    );
    const faults = lines().flatMap(({ err }) => (err ? Object.keys(err) : []));
    expect(new Set(faults)).toEqual(new Set(['type', 'message', 'code', 'constraint', 'table', 'stack']));
    const known = new Set([...found, ...(await fieldsInTheSources()).keys()]);
    // The result of a sweep is logged by spreading a variable, which the search of the sources cannot find.
    for (const field of ['temporary', 'kept']) known.add(field);
    expect(documented.filter((field) => !known.has(field))).toEqual([]);
  });

  it('are found in source code with log calls', () => {
    const source = `class A { b(c) { this.log.warn({ one, two: 2, ...(c && { three }), ...({ four: 4 }) }, 'x');
      log[c ? 'info' : 'warn']({ ...rest, five: {} }, 'x'); catalog.info({ six: 1 }); } }`;
    expect(fieldsIn(source)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });
});
