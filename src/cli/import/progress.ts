import { type WriteStream } from 'node:tty';

const WIDTH = 30;

/** A progress bar on a terminal; elsewhere a line for each tenth. */
export class Progress {
  private done = 0;
  private total = 0;
  private tenth = -1;

  constructor(private readonly stream: WriteStream) {}

  start(total: number): void {
    this.total = total;
    this.draw('');
  }

  step(what: string): void {
    this.done += 1;
    this.draw(what);
  }

  note(text: string): void {
    if (this.stream.isTTY) this.draw(text);
    else this.stream.write(`${text}\n`);
  }

  end(): void {
    if (this.stream.isTTY) this.stream.write('\n');
  }

  private draw(text: string): void {
    const share = this.total === 0 ? 1 : this.done / this.total;
    if (this.stream.isTTY) {
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
      const line = `[${bar}] ${this.done}/${this.total} ${text}`;
      this.stream.write(`\r${line.slice(0, (this.stream.columns || 80) - 1)}\u001b[K`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth === this.tenth) return;
    this.tenth = tenth;
    this.stream.write(`${this.done}/${this.total}\n`);
  }
}
