import { type Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Page } from '../../../common/page.js';

const pages = new Map<string, Type<Page<unknown>>>();

/**
 * Returns the class that describes a page of items in the OpenAPI document.
 *
 * @param name name of the schema; default from the item's class: `TagPage` for `TagResponse`
 */
export function pageOf<T>(item: Type<T>, name = item.name.replace(/Response$/, 'Page')): Type<Page<T>> {
  const known = pages.get(name);
  if (known) return known as Type<Page<T>>;
  @ApiSchema({ name })
  class PageResponse implements Page<T> {
    @ApiProperty({ type: [item] })
    items!: T[];

    @ApiProperty({ type: String, nullable: true })
    nextCursor!: string | null;
  }
  pages.set(name, PageResponse);
  return PageResponse;
}
