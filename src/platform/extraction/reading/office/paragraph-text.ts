import { type TextOutput } from '../text-output.js';

/**
 * Collects paragraphs. Text inside a paragraph that does not belong to its sentence, such as a note or a frame, follows
 * after the paragraph.
 */
export class ParagraphText {
  #paragraphs = 0;
  #asides = 0;
  #later = '';

  constructor(private readonly output: TextOutput) {}

  get isInParagraph(): boolean {
    return this.#paragraphs > 0;
  }

  get isInAside(): boolean {
    return this.#asides > 0;
  }

  get full(): boolean {
    return this.output.full || this.#later.length > this.output.limit;
  }

  add(text: string): void {
    if (this.isInAside) this.#later += text;
    else this.output.add(text);
  }

  openParagraph(): void {
    this.#paragraphs += 1;
  }

  closeParagraph(): void {
    this.#paragraphs -= 1;
    this.add('\n');
    if (this.#paragraphs > 0 || this.#later === '') return;
    this.output.add(`${this.#later}\n`);
    this.#later = '';
  }

  openAside(): void {
    this.#asides += 1;
    this.add('\n');
  }

  closeAside(): void {
    this.add('\n');
    this.#asides -= 1;
  }
}
