import { Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { ListSuggestionsQuery, SuggestionsResponse } from './suggestions.dto.js';
import { SuggestionsService } from './suggestions.service.js';

@TenantController('documents/suggestions', 'Documents')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  @Get()
  @Endpoint({
    operation: 'ListSuggestions',
    summary: 'Suggest documents, words, tags and files while a user types',
    description:
      'At most `limit` suggestions, 10 by default, of what the caller can see, without the bin. Documents: all words are in the title, the last one as a beginning. Words: those that begin with the last word. Tags, with `tags.read`: the name begins with `q`. Files: as in `ListFiles`.',
    permission: 'documents.read',
    returns: SuggestionsResponse,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListSuggestionsQuery) {
    return this.suggestions.list(caller, query);
  }
}
