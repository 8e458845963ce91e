/** What a browser opens as a page, and runs or hands to no other program. */
const OPENABLE: readonly string[] = ['http:', 'https:'];

/** Whether an address that a server names is one of a page, so that a person may be asked to open it. */
export function isPage(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && OPENABLE.includes(new URL(url).protocol);
}
