export type { JwtOptions } from './auth/jwt.ts';
export { ensureTokenFile } from './auth/token-file.ts';
export { isLoopback } from './guard.ts';
export type { HttpLimits, HttpOptions } from './options.ts';
export { type HttpServer, startHttpServer } from './server.ts';
