import { describe, expect, it } from '@jest/globals';
import {
  openNote,
  parseVerifierLine,
  signNote,
  signingKeyOf,
  verifierLine,
} from '../../../../src/resources/audit-log/evidence/notes/signed-note.js';
import {
  checkpointText,
  parseCheckpoint,
} from '../../../../src/resources/audit-log/evidence/notes/checkpoint.js';

/** The example of the package golang.org/x/mod/sumdb/note. */
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SIGNER_DATA = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const NOTE = `${TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe('Signed notes', () => {
  const key = signingKeyOf(Buffer.from(SIGNER_DATA, 'base64').subarray(1));
  const verifier = parseVerifierLine(VERIFIER)!;

  it('have the signature and the verifier key of the published example', () => {
    expect(signNote(TEXT, 'PeterNeumann', key)).toBe(NOTE);
    expect(verifierLine({ name: 'PeterNeumann', publicKey: key.publicKey })).toBe(VERIFIER);
  });

  it('are opened with one of several keys, also between signatures of others', () => {
    const other = signingKeyOf(Buffer.alloc(32, 7));
    const otherKey = { name: 'PeterNeumann', publicKey: other.publicKey };
    expect(openNote(NOTE, [otherKey, verifier])).toBe(TEXT);
    expect(openNote(signNote(TEXT, 'PeterNeumann', other), [verifier])).toBeNull();
    const both = `${TEXT}\n— other ${'A'.repeat(92)}\n${NOTE.slice(TEXT.length + 1)}`;
    expect(openNote(both, [verifier])).toBe(TEXT);
  });

  it.each([
    ['another text', NOTE.replace('answer', 'Answer')],
    ['another name', NOTE.replace('— PeterNeumann', '— PeterNeuman')],
    ['another signature', NOTE.replace('x08go/Z', 'x08go/Y')],
    ['no signature', `${TEXT}\n`],
    ['no text', '— PeterNeumann x08g\n'],
    ['no last newline', NOTE.slice(0, -1)],
    ['nothing', ''],
  ])('are not opened with %s', (_, note) => expect(openNote(note, [verifier])).toBeNull());

  it.each([
    VERIFIER.replace('c74f20a3', 'c74f20a4'),
    VERIFIER.replace('Peter', 'peter'),
    VERIFIER.slice(0, -4),
    VERIFIER.replace('+AR', '+BR'),
    'PeterNeumann',
    '',
  ])('have no verifier key %j', (line) => expect(parseVerifierLine(line)).toBeNull());

  it('contain checkpoints', () => {
    const checkpoint = {
      origin: 'files.example/t/1/2',
      size: 9_007_199_254_740_991,
      root: Buffer.alloc(32, 1),
    };
    const text = checkpointText(checkpoint);
    expect(text).toBe(
      'files.example/t/1/2\n9007199254740991\nAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n',
    );
    expect(parseCheckpoint(`${text}extension\n`)).toEqual(checkpoint);
  });

  it.each(['', 'origin\n01\nAQ==\n', 'origin\n-1\nAQ==\n', 'origin\n1\nAQ==\n', '\n1\n\n'])(
    'contain no checkpoint in %j',
    (text) => expect(parseCheckpoint(text)).toBeNull(),
  );
});
