// Prints the files and documents of an unpacked export as a tree: node tree.mjs <folder>
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [folder = '.'] = process.argv.slice(2);

function read(kind) {
  const file = path.join(folder, 'data', '_metadata', `${kind}.ndjson`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const [files, documents, versions] = ['files', 'documents', 'versions'].map(read);
const unfiled = { id: null, number: '–', name: 'without a file' };
for (const { id, number, name } of [...files, unfiled]) {
  const filed = documents.filter(({ fileIds }) => (id ? fileIds.includes(id) : fileIds.length === 0));
  if (filed.length > 0 || id) console.log(`${number} ${name}`);
  for (const document of filed) {
    console.log(`  ${document.title}`);
    for (const { documentId, path } of versions) if (documentId === document.id) console.log(`    ${path}`);
  }
}
