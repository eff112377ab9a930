/** Names of files and folders that systems and programs create: `*` matches any characters, case is ignored. */
export const DEFAULT_SKIPS = [
  // macOS
  '.DS_Store',
  '._*',
  '__MACOSX',
  '.Spotlight-V100',
  '.Trashes',
  '.fseventsd',
  // Windows, and the lock files of Office
  'Thumbs.db',
  'desktop.ini',
  '~$*',
  '$RECYCLE.BIN',
  'System Volume Information',
  // Linux, LibreOffice, editors, network storage
  '.~lock.*#',
  '.directory',
  '.Trash-*',
  'lost+found',
  '*.swp',
  '@eaDir',
  // Version control
  '.git',
  '.hg',
  '.svn',
];

export class SkippedNames {
  private readonly patterns: readonly { readonly glob: string; readonly expression: RegExp }[];
  private readonly counts = new Map<string, number>();

  constructor(globs: readonly string[]) {
    this.patterns = globs.map((glob) => ({ glob, expression: expressionOf(glob) }));
  }

  /** Whether the name is skipped. Counts it if so. */
  has(name: string): boolean {
    const glob = this.patterns.find(({ expression }) => expression.test(name))?.glob;
    if (glob === undefined) return false;
    this.counts.set(glob, (this.counts.get(glob) ?? 0) + 1);
    return true;
  }

  /** Number of skipped names, for example `3 (2 .DS_Store, 1 .git)`; null if none was skipped. */
  summary(): string | null {
    const counts = [...this.counts].map(([glob, count]) => `${count} ${glob}`);
    const total = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    return total === 0 ? null : `${total} (${counts.join(', ')})`;
  }
}

function expressionOf(glob: string): RegExp {
  const literal = glob.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'isu');
}
