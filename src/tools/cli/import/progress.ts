const WIDTH = 30;

/** Disables line wrapping, so that the terminal truncates long lines: only it knows the width of characters. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
const CLEAR_TO_END_OF_LINE = '\u001b[K';

/** Shows a progress bar on a terminal; otherwise writes a line for each 10 %. */
export class Progress {
  private done = 0;
  private total = 0;
  private tenth = -1;

  constructor(private readonly stream: { readonly isTTY?: boolean; write(text: string): unknown }) {}

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
      this.stream.write(
        `\r${NO_WRAP}[${bar}] ${this.done}/${this.total} ${text}${CLEAR_TO_END_OF_LINE}${WRAP}`,
      );
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth === this.tenth) return;
    this.tenth = tenth;
    this.stream.write(`${this.done}/${this.total}\n`);
  }
}
