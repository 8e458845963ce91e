export { createFetching, type FetchingParts, type SourceSettings } from './create-fetching.ts';
