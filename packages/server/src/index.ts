export { type Catalogue, createCatalogue } from './catalogue/catalogue.ts';
export { createKeptResults, type KeptResults } from './results/kept-results.ts';
export { type Session, type SessionServices, serveSession } from './session.ts';
