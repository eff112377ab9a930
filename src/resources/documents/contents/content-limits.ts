/** Greatest number of a page that a request can name. */
export const MAX_PAGE = 1_000_000;
/** Greatest width of a preview, in pixels. */
export const MAX_WIDTH = 1600;
/** Maximum of the database column. */
export const MAX_VERSION = 2_147_483_647;
