export { type Catalogue, createCatalogue } from './catalogue/catalogue.ts';
export { type Session, type SessionServices, serveSession } from './session.ts';
