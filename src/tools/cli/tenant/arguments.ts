import { parseEmailAddress } from '../../../common/email-address.js';
import { textOf } from '../../../common/messages/message.js';
import { nameError } from '../../../common/text-error.js';
import { normalizeName } from '../../../common/text.js';
import { UsageError } from '../command.js';

/** Maximum length of the name of a tenant, in characters. */
const MAX_NAME = 200;

/** @throws UsageError */
export function tenantName(text: string): string {
  const error = nameError(normalizeName(text), MAX_NAME);
  if (error) throw new UsageError(`--name ${textOf(error, 'en')}.`);
  return normalizeName(text);
}

/** @throws UsageError */
export function emailAddress(text: string): string {
  const email = parseEmailAddress(text);
  if (email === null) throw new UsageError(`${text} is not an e-mail address.`);
  return email;
}
