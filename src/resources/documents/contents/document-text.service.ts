import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem, orNotFound } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { answersWithBody } from '../../../platform/http/response/answers-with-body.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type DocumentTextQuery } from './document-text.dto.js';
import { DocumentTextsRepository } from './document-texts.repository.js';
import { Downloads } from './downloads.js';

interface FoundText {
  readonly title: string;
  readonly version: number;
  readonly text: string;
  readonly recognisedPages: readonly number[];
}

interface TextAnswer {
  readonly text: string;
  /** As ranges, or `none`. */
  readonly recognisedPages: string;
}

@Injectable()
export class DocumentTextService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly texts: DocumentTextsRepository,
    private readonly downloads: Downloads,
  ) {}

  /** The access is recorded if the response contains the text: not for HEAD, and not for a text that the client has. */
  async get(
    caller: Caller,
    id: string,
    { page }: DocumentTextQuery,
    request: IncomingMessage,
  ): Promise<TextAnswer> {
    const found = await this.find(caller, id);
    const number = page ?? null;
    const text = number === null ? found.text : found.text.split('\f')[number - 1];
    if (text === undefined) throw new Problem('document.without-page');
    if (answersWithBody(request, text)) {
      const { title, version: contentVersion } = found;
      await this.downloads.record(
        caller,
        { action: 'DocumentDownloaded', subjectId: id, summary: `${title}: text`, contentVersion },
        number !== null,
      );
    }
    const recognised = found.recognisedPages.filter((one) => number === null || one === number);
    return { text, recognisedPages: rangesOf(recognised) || 'none' };
  }

  private find(caller: Caller, id: string): Promise<FoundText> {
    return this.uow.read(caller, async (tx) => {
      const document = orNotFound(await this.texts.findReadable(tx, caller, id));
      const { title, hasText, contentText, contentVersion: version, recognisedPages } = document;
      if (version === null) throw new Problem('document.without-content');
      if (!hasText)
        throw new Problem(contentText === 'Pending' ? 'document.processing' : 'document.without-text');
      return { title, version, recognisedPages, text: await this.texts.readText(tx, id) };
    });
  }
}

/** Ascending numbers as ranges: `1-3, 7`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}
