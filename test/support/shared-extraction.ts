import { rmSync } from 'node:fs';
import { TestExtraction } from './extraction.js';

/** Maximum number of characters that the shared pool extracts. */
export const SHARED_TEXT_LIMIT = 500_000;

/** The pool that the specs of a jest worker share. Use it when the default limits suffice; do not stop it. */
export const extraction = await TestExtraction.start({ limits: { text: SHARED_TEXT_LIMIT } });
process.once('exit', () => rmSync(extraction.folder, { recursive: true, force: true }));
