export { noDownstreams } from './behind/no-downstreams.ts';
export { type Catalogue, createCatalogue } from './catalogue/catalogue.ts';
export {
  DENIED_META_KEY,
  EVERY_TOOL_META_KEY,
  TOOL_META_KEY,
  type Unlisted,
  WITHHELD_META_KEY,
} from './list-every-tool.ts';
export { createKeptResults, type KeptResults } from './results/kept-results.ts';
export { resultsOnDisk } from './results/results-on-disk.ts';
export { type ServedSession, type SessionServices, serveSession } from './session.ts';
