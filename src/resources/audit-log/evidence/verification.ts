import { type AuditOpeningResponse } from './evidence.dto.js';
import { type Checkpoint, parseCheckpoint } from './notes/checkpoint.js';
import { type VerifierKey, openNote } from './notes/signed-note.js';
import { textHash } from './tree/leaf.js';
import { GrowingTree, hashLeaf } from './tree/merkle-tree.js';

/** A line of an export: the first one, that of an entry, or the last one. Anything may be missing or of another type. */
interface Line {
  readonly fromSize?: unknown;
  readonly hashes?: unknown;
  readonly sequence?: unknown;
  readonly leaf?: unknown;
  readonly opening?: unknown;
  readonly hash?: unknown;
  readonly checkpoint?: unknown;
}

interface Altered {
  readonly sequence: number;
  readonly stored: string;
  readonly found: string;
}

export interface Expectations {
  readonly keys: readonly VerifierKey[];
  /** Signed notes that were kept, and the name of each for messages. */
  readonly earlier: readonly { readonly name: string; readonly note: string }[];
  /** Origins of former logs that this one continues. */
  readonly continues: readonly string[];
}

interface Report {
  /** The state that was verified; null if there is none. */
  readonly checkpoint: Checkpoint | null;
  /** First entry of the export. Of those before it, only the root of their tree was verified. */
  readonly fromSize: number;
  readonly findings: readonly string[];
  /** Number of findings, of which only the first ones are listed. */
  readonly count: number;
}

const MAX_FINDINGS = 50;
/** Altered entries that are compared with each other to find reordered ones. */
const MAX_ALTERED = 10_000;

/** Checks an export of an audit log, line by line, in memory that does not grow with it. */
export class ExportVerification {
  private readonly findings: string[] = [];
  private count = 0;
  private tree: GrowingTree | undefined;
  private fromSize = 0;
  private next = 0;
  private last: Checkpoint | null = null;
  private isComplete = false;
  /** False after a missing hash: then no root can be compared. */
  private isTreeWhole = true;
  private readonly altered: Altered[] = [];
  private readonly earlier: { readonly name: string; readonly checkpoint: Checkpoint }[] = [];
  /** Roots of this export at the sizes of the earlier checkpoints. */
  private readonly roots = new Map<number, Buffer>();

  constructor(private readonly expected: Expectations) {
    for (const { name, note } of expected.earlier) {
      const checkpoint = this.opened(note);
      if (checkpoint) this.earlier.push({ name, checkpoint });
      else this.find(`${name} is not a checkpoint that one of the keys has signed.`);
    }
  }

  add(text: string): void {
    const line = parsed(text);
    if (!line || this.isComplete)
      return this.find(`Line ${this.next - this.fromSize + 2} is not part of an export.`);
    if (!this.tree) return this.begin(line);
    if ('checkpoint' in line) {
      this.isComplete = true;
      this.last = this.opened(String(line.checkpoint));
      return;
    }
    this.entry(line, this.tree);
  }

  end(): Report {
    this.reportAltered();
    if (!this.tree || !this.isComplete) this.find('The export is incomplete: its last line is missing.');
    else if (!this.last) this.find('The last line is not a checkpoint that one of the keys has signed.');
    else this.compare(this.last, this.tree);
    const { last, fromSize, findings, count } = this;
    return { checkpoint: last, fromSize, findings, count };
  }

  private begin({ fromSize, hashes }: Line): void {
    try {
      const given = (hashes as string[]).map((hash) => Buffer.from(hash, 'base64'));
      this.tree = GrowingTree.of(fromSize as number, given);
      this.fromSize = this.next = this.tree.size;
      this.keepRoot();
    } catch {
      this.tree = new GrowingTree();
      this.isTreeWhole = false;
      this.find('The first line does not have the hashes of the entries before the export.');
    }
  }

  private entry({ sequence, leaf, opening, hash }: Line, tree: GrowingTree): void {
    if (typeof sequence !== 'number' || sequence < this.next)
      return this.find(`Entry ${String(sequence)} is at the place of entry ${this.next}.`);
    if (sequence > this.next) {
      this.find(`Entries ${this.next} to ${sequence - 1} are missing.`);
      this.isTreeWhole = false;
    }
    this.next = sequence + 1;
    if (typeof hash === 'string') tree.add(Buffer.from(hash, 'base64'));
    else this.isTreeWhole = false;
    if (typeof leaf !== 'string') this.find(`Entry ${sequence} is missing.`);
    else if (typeof hash !== 'string') this.find(`Entry ${sequence} has no leaf in the tree.`);
    else {
      const found = hashLeaf(leaf).toString('base64');
      if (found !== hash) {
        this.count += 1;
        if (this.altered.length < MAX_ALTERED) this.altered.push({ sequence, stored: hash, found });
      } else if (opening && !isOpeningOf(opening as AuditOpeningResponse, leaf))
        this.find(`Entry ${sequence}: the opening does not belong to the leaf.`);
    }
    this.keepRoot();
  }

  private keepRoot(): void {
    if (!this.tree || !this.isTreeWhole) return;
    const { size } = this.tree;
    if (this.earlier.some(({ checkpoint }) => checkpoint.size === size))
      this.roots.set(size, this.tree.root());
  }

  /** An altered entry whose leaf has another place in the tree was moved there. */
  private reportAltered(): void {
    const places = new Map(this.altered.map(({ stored, sequence }) => [stored, sequence]));
    for (const { sequence, found } of this.altered) {
      const place = places.get(found);
      this.list(
        place === undefined
          ? `Entry ${sequence} was altered.`
          : `Entry ${sequence} was reordered: it is the entry that was recorded as ${place}.`,
      );
    }
  }

  private compare(last: Checkpoint, tree: GrowingTree): void {
    const isSameSize = this.next === last.size;
    if (!isSameSize)
      this.find(`The checkpoint states ${last.size} entries, the export ends at ${this.next}.`);
    const ordered = this.earlier.toSorted((a, b) => a.checkpoint.size - b.checkpoint.size);
    let agreed = this.fromSize === 0 ? 'the beginning' : `size ${this.fromSize}`;
    for (const { name, checkpoint } of ordered) {
      const { size, origin, root } = checkpoint;
      if (origin !== last.origin && !this.expected.continues.includes(origin)) {
        this.find(`${name} is of another log, ${origin}. If this one continues it, use --continues.`);
      } else if (size > last.size) {
        this.find(`${name} states ${size} entries, but the log has ${last.size}: the newest were cut off.`);
      } else if (size < this.fromSize) {
        this.find(`${name} is older than the export: export from size ${size} or before.`);
      } else if (this.roots.get(size)?.equals(root)) {
        agreed = `${name} (size ${size})`;
      } else {
        this.find(`The log does not continue ${name}: it was rebuilt between ${agreed} and size ${size}.`);
        return;
      }
    }
    if (isSameSize && this.isTreeWhole && !tree.root().equals(last.root))
      this.find(
        `The tree is not the one of its checkpoint: it was changed between ${agreed} and size ${last.size}.`,
      );
  }

  /** The name of the key must be the origin: the same key signs for other tenants under other names. */
  private opened(note: string): Checkpoint | null {
    const [origin] = note.split('\n', 1);
    const text = openNote(
      note,
      this.expected.keys.filter(({ name }) => name === origin),
    );
    return text === null ? null : parseCheckpoint(text);
  }

  private find(finding: string): void {
    this.count += 1;
    this.list(finding);
  }

  private list(finding: string): void {
    if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
  }
}

function parsed(text: string): Line | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function isOpeningOf(opening: AuditOpeningResponse, leaf: string): boolean {
  try {
    return textHash(opening) === (JSON.parse(leaf) as { text?: unknown }).text;
  } catch {
    return false;
  }
}
