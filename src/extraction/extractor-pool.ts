import { type Extraction, type ExtractionRequest, Extractor } from './extractor.js';

export class ExtractorPool extends Extractor {
  override async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    signal?.throwIfAborted();
    return { mediaType: request.claimedType, pageCount: null, image: null, text: null, failure: null };
  }
}
