import { z } from 'zod';
import { httpFault } from './http-rules.ts';

const Names = (what: string) => z.array(z.string().min(1).max(300)).max(100).default([]).describe(what);
const Milliseconds = (min: number, max: number, preset: number) => z.int().min(min).max(max).default(preset);

/** Asymmetric ones only: whoever can read a shared key could sign with it. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const Auth = z
  .strictObject({
    issuer: z
      .url()
      .optional()
      .describe('Accepts access tokens (JWT) of this issuer beside the server’s own token.'),
    audience: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(20)
      .optional()
      .describe('What a token’s `aud` must name one of; by default `publicUrl` with /mcp.'),
    jwksUrl: z.url().optional().describe('Where the issuer’s keys are; by default where its metadata says.'),
    algorithms: z
      .array(z.enum(ALGORITHMS))
      .min(1)
      .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
      .describe('Signatures that are accepted.'),
    callScope: z
      .string()
      .min(1)
      .max(200)
      .regex(/^\S+$/, 'must be one word')
      .optional()
      .describe(
        'A word that `scope` of the issuer’s tokens needs for calls; those without it look and do not call.',
      ),
    lookToken: z
      .boolean()
      .default(false)
      .describe(
        'Makes a second token, in `http-look-token` in the data directory, that may look and not call.',
      ),
    clockToleranceS: z.int().min(0).max(300).default(30).describe('By how many seconds clocks may differ.'),
  })
  .prefault({})
  .describe('Who may call. The server’s own token, in `http-token` in the data directory, always counts.');

const Tls = z
  .strictObject({
    keyFile: z.string().min(1).max(1000).describe('The private key, PEM; relative to this file.'),
    certFile: z
      .string()
      .min(1)
      .max(1000)
      .describe('The certificate with its chain, PEM; relative to this file.'),
  })
  .optional()
  .describe('Serves HTTPS.');

/** Streamable HTTP: one section of the config. */
export const HttpSection = z
  .strictObject({
    port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe(
        'Opens HTTP on this port, beside stdio and the local socket; 0 takes any free one. Without it HTTP is off, unless `nexus serve --http` says otherwise.',
      ),
    host: z
      .string()
      .min(1)
      .max(255)
      .default('127.0.0.1')
      .describe('The address to listen on; any but loopback is reachable from other machines.'),
    publicUrl: z.url().optional().describe('How clients reach the server where that is not its own address.'),
    allowedHosts: Names('Values of the Host header that are served beside loopback and `host`.'),
    allowedOrigins: Names('Web pages that may call, such as https://tools.example.com.'),
    tls: Tls,
    auth: Auth,
    maxBodyBytes: z
      .int()
      .min(1_024)
      .max(1_073_741_824)
      .default(4_194_304)
      .describe('The largest request accepted, in bytes.'),
    maxSessions: z.int().min(1).max(1_000_000).default(2_000).describe('Sessions that may be open at once.'),
    maxInFlight: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Requests of one session that may wait for their answers at once.'),
    sessionIdleMs: Milliseconds(1_000, 604_800_000, 1_800_000).describe(
      'A session without request and stream for this long is ended, in milliseconds.',
    ),
    replayBytes: z
      .int()
      .min(1_024)
      .max(268_435_456)
      .default(1_048_576)
      .describe('Events kept per session for a client that reconnects, in bytes.'),
    maxQueuedBytes: z
      .int()
      .min(1_024)
      .max(1_073_741_824)
      .default(4_194_304)
      .describe('A stream whose client leaves more than this unread is cut off; it can be taken up again.'),
    keepAliveMs: Milliseconds(100, 300_000, 15_000).describe(
      'How often a silent stream shows that it is alive.',
    ),
    maxStreamMs: z
      .int()
      .min(100)
      .max(86_400_000)
      .optional()
      .describe(
        'After this long a stream ends and its client takes it up anew, in milliseconds; for proxies that end long ones. Without it streams last.',
      ),
    headersTimeoutMs: Milliseconds(100, 300_000, 10_000).describe(
      'How long a client may take to send a request’s head.',
    ),
    requestTimeoutMs: Milliseconds(100, 3_600_000, 60_000).describe(
      'How long a client may take to send a whole request.',
    ),
    drainMs: Milliseconds(0, 4_000, 3_000).describe(
      'How long calls in flight may go on when the server is asked to stop; the process ends within 5 s.',
    ),
  })
  .superRefine((section, context) => {
    const fault = httpFault(section);
    if (fault) context.addIssue({ code: 'custom', ...fault });
  })
  .prefault({})
  .describe('Streamable HTTP, for hosts that reach the server by URL.');
