import { execFileSync } from 'node:child_process';
import { openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { Socket, connect } from 'node:net';

/**
 * Replaces the program of a reading process, as if a hostile file had taken it over. Tries the attacks listed in the
 * file and returns their outcomes. The channel to the service is descriptor 3, the file is descriptor 4.
 */
const channel = new Socket({ fd: 3 });
const send = (message) => channel.write(`${JSON.stringify(message)}\n`);

function flood(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; ; at %= bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

const metadata = { mediaType: 'text/plain', pageCount: null, image: null };
const message = (job, members) =>
  `{"kind":"metadata","job":${job},"metadata":${JSON.stringify(metadata)},${members}}\n`;
const floods = {
  'one endless message': () => flood(3, 'x'.repeat(65_536)),
  'a message of a million objects': (job) => flood(3, message(job, `"more":[{}${',{}'.repeat(1_000_000)}]`)),
  'messages without end': (job) => flood(3, message(job, '"more":0')),
  'text without end': (job) => flood(3, `{"kind":"text","job":${job},"text":"${'x'.repeat(50_000)}"}\n`),
  'an error that cannot become a string': (job) =>
    flood(3, `{"kind":"error","job":${job},"message":{"toString":0,"valueOf":0}}\n`),
  'single bytes': () => flood(3, ' '),
  'standard error': () => flood(2, 'x'.repeat(65_536)),
};

const attacks = {
  read: (path) => readFileSync(path, 'latin1'),
  open: (path) => openSync(path, 'r'),
  write: (path) => writeFileSync(path, ''),
  spawn: (program) => execFileSync(program),
  signal: (pid) => process.kill(pid, 0),
  connect: (port) =>
    new Promise((resolve, reject) =>
      connect(port, '127.0.0.1').once('connect', resolve).once('error', reject),
    ),
};

async function outcome([attack, target]) {
  try {
    const got = await attacks[attack](target);
    return attack === 'read' ? got : 'done';
  } catch (error) {
    return `refused: ${error.code ?? error.message}`;
  }
}

// With a user in the arguments, the real program changes to that user before it reads its first file.
const [uid, gid] = (process.argv[2] ?? '').split(':').map(Number);
if (gid !== undefined) {
  process.setgroups([]);
  process.setgid(gid);
  process.setuid(uid);
}

channel.on('data', async (line) => {
  const { job, size } = JSON.parse(line);
  const file = Buffer.alloc(size);
  readSync(4, file, 0, size, 0);
  const attacks = JSON.parse(file);
  floods[attacks.flood]?.(job);
  const outcomes = {};
  for (const [name, attack] of Object.entries(attacks)) outcomes[name] = await outcome(attack);
  send({ kind: 'text', job, text: JSON.stringify(outcomes) });
  send({
    kind: 'done',
    job,
    extraction: { ...metadata, failure: null },
    detail: null,
    cpuSeconds: 0,
  });
});
channel.on('close', () => process.exit());
send({ kind: 'ready' });
