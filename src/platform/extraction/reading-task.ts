import { type ExtractionFailure, type FileMetadata } from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage, type ReadingJob } from './messages.js';

/** One file, what a process does with it, and how the messages of the process become a result. */
export interface ReadingTask<T> {
  /** A process reads only files of one owner. */
  readonly owner: string;
  /** What the process is told, besides number, size and limits. */
  readonly order: Omit<ReadingJob, 'job' | 'size' | 'limits'>;
  /** Maximum bytes that the process may send. */
  readonly maxBytes: number;
  /** What is known of the file so far. */
  readonly metadata: FileMetadata | null;
  /**
   * Copies the file for the process; returns its size in bytes.
   *
   * @throws ReadingFailed when the file cannot be read
   */
  copyTo(file: InputFile): Promise<number>;
  /**
   * Takes a message about this file. Returns the result if it was the last message, otherwise undefined.
   *
   * @throws UnexpectedMessage
   */
  receive(message: FileMessage): T | undefined;
  /** The result if the process was ended, because it exceeded a limit. */
  endedBy(failure: ExtractionFailure): T;
}

/** The process sent something that it should not send. The message continues the sentence "A reading process …". */
export class UnexpectedMessage extends Error {}
