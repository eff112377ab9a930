const LINE_FEED = 0x0a;

/** Splits received bytes into UTF-8 lines. Node's readline also splits at U+2028, which JSON does not escape. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Number of bytes of the incomplete last line. */
  get pending(): number {
    return this.#rest.length;
  }

  /** @returns the lines that this chunk completes */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      lines.push(rest.toString('utf8', 0, end));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest;
    return lines;
  }
}
