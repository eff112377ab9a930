import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseVerifierLine } from '../../resources/audit-log/evidence/notes/signed-note.js';
import { ExportVerification } from '../../resources/audit-log/evidence/verification.js';
import { UsageError, command, print, runCommand } from './command.js';

const VERIFY = command({
  summary: 'Verifies an export of an audit log (GET /audit-log/export).',
  usage: [
    'npm run verify-audit -- <export.ndjson> --key <verifier key> [--checkpoint <file>] [--continues <origin>]',
  ],
  operand: { name: 'export.ndjson' },
  options: {
    key: {
      type: 'string',
      multiple: true,
      value: '<verifier key>',
      help: 'Line of GET /audit-log/keys that you got from a source you trust. Can be repeated.',
    },
    checkpoint: {
      type: 'string',
      multiple: true,
      value: '<file>',
      help: 'Checkpoint that you kept: the log must continue it. Can be repeated.',
    },
    continues: {
      type: 'string',
      multiple: true,
      value: '<origin>',
      help: 'Origin of a former log (npm run new-log) that this one continues. Can be repeated.',
    },
  },
  details: `Works offline, without a database and without configuration. Exits with 1 if an entry is missing, altered or
reordered, if the log does not continue a checkpoint, or if the export is incomplete.`,
  examples: [
    `npm run verify-audit -- export.ndjson --checkpoint 2026-11-01.txt --key 'files.example/t/0199…/0199…+1f0c…+AXd…'`,
  ],
});

await runCommand(VERIFY, async ({ operands: [file], values }) => {
  const { key: lines = [], checkpoint: files = [], continues = [] } = values;
  if (lines.length === 0) throw new UsageError('Give at least one --key.');
  const keys = lines.map((line) => {
    const key = parseVerifierLine(line.trim());
    if (!key) throw new UsageError(`${line} is not a verifier key.`);
    return key;
  });
  const earlier = await Promise.all(files.map(async (name) => ({ name, note: await contentOf(name) })));
  if (!(await stat(file).catch(() => null))) throw new UsageError(`${file} cannot be read.`);
  const verification = new ExportVerification({ keys, earlier, continues });
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    verification.add(line);
  const { checkpoint, fromSize, findings, count } = verification.end();
  for (const finding of findings) print(`${finding}\n`);
  if (count > findings.length) print(`… and ${count - findings.length} more.\n`);
  if (checkpoint) {
    const { size, origin, root } = checkpoint;
    print(
      `${count === 0 ? 'Verified' : 'NOT VERIFIED'}: ${size} entries of ${origin}, root ${root.toString('base64')}\n`,
    );
    if (fromSize > 0) print(`The export does not contain the entries before ${fromSize}.\n`);
  }
  return count === 0 ? 0 : 1;
});

async function contentOf(name: string): Promise<string> {
  try {
    return await readFile(name, 'utf8');
  } catch {
    throw new UsageError(`${name} cannot be read.`);
  }
}
