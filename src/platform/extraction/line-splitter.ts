const LINE_FEED = 0x0a;

/** Divides what is received into lines of UTF-8. Readline would also divide at U+2028, which JSON does not escape. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Bytes of the line that has not ended. */
  get pending(): number {
    return this.#rest.length;
  }

  /** @returns the lines that end in this chunk */
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
