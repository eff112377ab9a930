import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds when a source is newer than the last build; says so on standard error, and nothing on standard output. */
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = [
  'src',
  'clients/typescript',
  'ormconfig.ts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

function newest(file) {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time tells of files that are gone.
  return Math.max(stats.mtimeMs, ...readdirSync(file).map((entry) => newest(path.join(file, entry))));
}

function builtAt() {
  try {
    return statSync(path.join(root, 'dist', '.built')).mtimeMs;
  } catch {
    return 0;
  }
}

if (Math.max(...SOURCES.map((source) => newest(path.join(root, source)))) > builtAt()) {
  process.stderr.write('Building …\n');
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const nest = path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write('The build failed.\n');
    process.exit(1);
  }
  writeFileSync(path.join(root, 'dist', '.built'), '');
}
