export { type Catalogue, createCatalogue } from './catalogue.ts';
export { type Session, type SessionServices, serveSession } from './session.ts';
