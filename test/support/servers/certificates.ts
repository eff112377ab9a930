import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** A new key and a certificate for the name, which is signed with the same key, as PEM. */
export async function selfSignedCertificate(name: string): Promise<{ key: string; cert: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'filing-certificate-'));
  const files = { key: path.join(directory, 'key.pem'), cert: path.join(directory, 'cert.pem') };
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
      ...['-keyout', files.key, '-out', files.cert],
    ]);
    return { key: await readFile(files.key, 'utf8'), cert: await readFile(files.cert, 'utf8') };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
