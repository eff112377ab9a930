import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem, orNotFound } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { answersWithBody } from '../../../platform/http/response/answers-with-body.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type DocumentTextQuery } from './document-text.dto.js';
import { DocumentTextsRepository } from './document-texts.repository.js';
import { Downloads } from './downloads.js';

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
    const { title, contentVersion, recognisedPages, whole } = await this.uow.read(caller, async (tx) => {
      const document = orNotFound(await this.texts.findReadable(tx, caller, id));
      const { contentText, contentVersion: version, hasText } = document;
      if (version === null) throw new Problem('document.without-content');
      if (!hasText)
        throw new Problem(contentText === 'Pending' ? 'document.processing' : 'document.without-text');
      return { ...document, contentVersion: version, whole: await this.texts.readText(tx, id) };
    });
    const text = page === undefined ? whole : whole.split('\f')[page - 1];
    if (text === undefined) throw new Problem('document.without-page');
    if (answersWithBody(request, text))
      await this.downloads.record(
        caller,
        { action: 'DocumentDownloaded', subjectId: id, summary: `${title}: text`, contentVersion },
        page !== undefined,
      );
    const recognised = recognisedPages.filter((one) => page === undefined || one === page);
    return { text, recognisedPages: rangesOf(recognised) || 'none' };
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
