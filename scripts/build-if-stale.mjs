/** Builds if a source is newer than the last build. Writes only to standard error. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = [
  'src',
  'clients/typescript',
  'examples',
  'scripts/bundle.mjs',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

function newest(file) {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The time of the folder changes when a file is removed.
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
  const nest = path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  if (!existsSync(nest)) {
    process.stderr.write(
      `The sources in ${root} must be built, but the compiler is not installed: "npm ci" omits it with ` +
        'NODE_ENV=production or --omit=dev. Run: npm ci --include=dev && npm run build. Afterwards, "npm prune --omit=dev" removes the build tools.\n',
    );
    process.exit(1);
  }
  process.stderr.write('Building (compiles the sources; later starts skip it until one changes) …\n');
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write('The build failed.\n');
    process.exit(1);
  }
  await import('./bundle.mjs');
  writeFileSync(path.join(root, 'dist', '.built'), '');
}
