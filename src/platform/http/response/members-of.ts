import { type Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';

/**
 * The documented members of a response class, without `except`. Repositories that select exactly these return rows that
 * are responses.
 */
export function membersOf<R extends object, X extends keyof R & string = never>(
  response: Type<R>,
  ...except: readonly X[]
): Exclude<keyof R & string, X>[] {
  const documented = Reflect.getMetadata(
    DECORATORS.API_MODEL_PROPERTIES_ARRAY,
    response.prototype as object,
  ) as string[];
  const members = documented.map((name) => name.slice(':'.length));
  return members.filter((name) => !(except as readonly string[]).includes(name)) as Exclude<
    keyof R & string,
    X
  >[];
}
