/** Also of files. */
export const MAX_DOCUMENTS = 100_000;
/** Versions of the documents. The list of entries in a ZIP is in memory until its end. */
export const MAX_CONTENTS = 250_000;
/** In bytes. */
export const MAX_CONTENT_BYTES = 50e9;
/** In bytes, with metadata. A multipart upload to a bucket has at most 10,000 parts of 5 MiB. */
export const MAX_PACKAGE_BYTES = 52e9;
/** Of one member. */
export const MAX_UNFINISHED = 3;
/** Of one member, finished or not. */
export const MAX_EXPORTS = 100;
/** How long a package is kept. */
export const KEPT_HOURS = 48;
/** How long an export without a package is kept, since its creation. */
export const LISTED_DAYS = 30;
